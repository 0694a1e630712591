#!/usr/bin/env node
import { once } from 'node:events';
import * as nodeModule from 'node:module';
import { clearLine, cursorTo } from 'node:readline';
import { failureText } from './failure-text.js';
import { printable } from '../kernel/printable-text.js';
import { finish, print, type Screen } from './output.js';
import { CliError, readCommand } from './read-command.js';

// Node 20 has no compile cache. With it the modules imported from here on load in half of the time.
if ('enableCompileCache' in nodeModule) (nodeModule.enableCompileCache as () => void)();

/** Runs `npm run recount -- …`. Exit code 0: no findings; 1: findings; 2: the command failed; 141: the reader left. */
async function main(): Promise<number> {
  const invocation = await readCommand(process.argv.slice(2));
  const screen = terminal();
  if ('help' in invocation) {
    screen.write(invocation.help);
    await finish(screen);
    return 0;
  }
  const { openToolsFor } = await import('./tools.js');
  const tools = await openToolsFor(process.env, invocation.composition, invocation.mayUpgrade);
  try {
    const isHealthy = await print(invocation.command(tools.app), screen, invocation.asJson);
    return isHealthy ? 0 : 1;
  } finally {
    await tools.close();
  }
}

/** Output of the process. Progress goes to the error stream, so that a pipe gets results only. */
function terminal(): Screen {
  let fault: Error | undefined;
  process.stdout.on('error', (error: NodeJS.ErrnoException) => (fault ??= faultOf(error)));
  const note = (text: string): void => {
    cursorTo(process.stderr, 0);
    clearLine(process.stderr, 0);
    process.stderr.write(text);
  };
  return {
    write: (text) => void process.stdout.write(text),
    drained: async () => {
      if (!process.stdout.writableNeedDrain) return;
      const accepted = new AbortController();
      const { signal } = accepted;
      const ends = ['drain', 'close'].map((event) => once(process.stdout, event, { signal }));
      await Promise.race(ends).catch((error: NodeJS.ErrnoException) => (fault ??= faultOf(error)));
      accepted.abort();
    },
    finished: () =>
      new Promise((resolve) => {
        // The error event follows the callback.
        process.stdout.write('', () => setImmediate(resolve));
      }),
    fault: () => fault,
    isTerminal: process.stdout.isTTY,
    note: process.stderr.isTTY ? note : undefined,
  };
}

/** A reader that has left is no failure; anything else, such as a full disk, has lost output. */
const faultOf = (error: NodeJS.ErrnoException): Error =>
  error.code === 'EPIPE' ? error : new Error(`The output could not be written: ${error.message}.`);

main().then(
  (code) => (process.exitCode = code),
  (error: unknown) => {
    // The exit code of a program that SIGPIPE ends, as `| head` does.
    if ((error as NodeJS.ErrnoException).code === 'EPIPE') return (process.exitCode = 128 + 13);
    const message = printable(failureText(error));
    process.stderr.write(error instanceof CliError ? `${message}\n` : `recount: ${message}\n`);
    process.exitCode = 2;
  },
);
