const { TestEnvironment } = require('jest-environment-node');

/** A mutant is killed by its first failing test: what comes after it is skipped. */
module.exports = class UntilFirstFailure extends TestEnvironment {
  handleTestEvent({ name, test }) {
    if (name === 'test_fn_failure') this.hasFailed = true;
    if (name === 'test_start' && this.hasFailed) test.mode = 'skip';
  }
};
