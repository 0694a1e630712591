import Sequencer from '@jest/test-sequencer';

/** Without times of former runs Jest starts the largest files first; these are small, and last. */
const LONG =
  /\/(eventstoredb[\w-]*|simulation|demo|test-runner|renewals-elsewhere|embedded-postgres)\.spec\.ts$/;

/** No long spec is left to the end, where the other workers would wait for it. */
export default class LongestFirst extends Sequencer {
  sort(tests) {
    const sorted = super.sort(tests);
    const isLong = ({ path, duration }) => duration === undefined && LONG.test(path);
    return [...sorted.filter(isLong), ...sorted.filter((test) => !isLong(test))];
  }
}
