import { isMainThread } from 'node:worker_threads';
import { run } from './main.js';
import { limitMemory } from './node/limit-memory.js';
import { serveParts } from './node/part-thread.js';

/** Runs `recount-verify`; in its second thread it verifies parts for the first. */
if (isMainThread) {
  limitMemory();
  const write = (text: string): void => void process.stdout.write(text);
  process.exitCode = await run(process.argv.slice(2), write, new URL(import.meta.url));
} else {
  await serveParts();
}
