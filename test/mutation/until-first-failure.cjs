const { TestEnvironment } = require('jest-environment-node');

/** Skips all tests after the first failure, as one failing test kills a mutant. */
module.exports = class UntilFirstFailure extends TestEnvironment {
  handleTestEvent({ name, test }) {
    if (name === 'test_fn_failure') this.hasFailed = true;
    if (name === 'test_start' && this.hasFailed) test.mode = 'skip';
  }
};
