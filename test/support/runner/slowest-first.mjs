import Sequencer from '@jest/test-sequencer';

/** Files that take longer than most of a run: begun last, they would keep one worker busy while the others have nothing left. */
const SLOWEST = [
  'crash',
  'simulation',
  'faults',
  'store-trouble',
  'real-log',
  'console/states',
  'console/demo',
  'over-http/further-seeds',
  'console/large',
  'console/pages',
  'console/accessibility',
];

const rank = ({ path }) => {
  const named = SLOWEST.findIndex((name) => path.includes(`/${name}`));
  if (named >= 0) return named;
  return path.includes('/test/long/') || path.includes('/test/properties/')
    ? SLOWEST.length
    : SLOWEST.length + 1;
};

/** The slowest files first, where nothing is known of a former run either; Jest then goes by size. */
export default class SlowestFirst extends Sequencer {
  async sort(tests) {
    return (await super.sort(tests)).sort((a, b) => rank(a) - rank(b));
  }
}
