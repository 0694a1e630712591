import { isMainThread } from 'node:worker_threads';
import { run } from './main.js';
import { limitMemory } from './node/limit-memory.js';
import { serveParts } from './node/part-thread.js';

/** Exit code of a process that SIGPIPE ends. */
const READER_LEFT = 128 + 13;

/** Ends the command when the reader of its output has left, as with `| head`. */
function leave(error: NodeJS.ErrnoException): never {
  if (error.code === 'EPIPE') process.exit(READER_LEFT);
  throw error;
}

/** Runs `recount-verify`; in its second thread it verifies parts for the first. */
if (isMainThread) {
  limitMemory();
  process.stdout.on('error', leave);
  const write = (text: string): void => void process.stdout.write(text);
  process.exitCode = await run(process.argv.slice(2), write, new URL(import.meta.url));
} else {
  await serveParts();
}
