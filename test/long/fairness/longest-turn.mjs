/**
 * Loaded into the service before its code: the longest turn of its event loop, in processor time of its main thread. Other
 * work of the machine makes a turn last longer, but hardly adds to this. On SIGUSR2 it writes the milliseconds to the file
 * LONGEST_TURN and begins anew. Linux only, as /proc tells the time of a thread.
 */
import { openSync, readSync, renameSync, writeFileSync } from 'node:fs';
import { isMainThread } from 'node:worker_threads';

const file = process.env.LONGEST_TURN;
/** A turn is seen with up to this much of its neighbours. */
const EVERY_MS = 4;

if (file && isMainThread && process.platform === 'linux') {
  const schedule = openSync('/proc/self/schedstat', 'r');
  const text = Buffer.alloc(96);
  const processorTime = () => {
    // Brings the figure up to date, which Linux does every few milliseconds only.
    process.cpuUsage();
    const length = readSync(schedule, text, 0, text.length, 0);
    return Number.parseInt(text.toString('latin1', 0, length), 10) / 1e6;
  };
  let [before, longest] = [processorTime(), 0];
  setInterval(() => {
    const now = processorTime();
    longest = Math.max(longest, now - before);
    before = now;
  }, EVERY_MS).unref();
  process.on('SIGUSR2', () => {
    writeFileSync(`${file}.new`, longest.toFixed(1));
    renameSync(`${file}.new`, file);
    longest = 0;
  });
}
