import 'reflect-metadata';
import { readConfig } from '../platform/config/read-config.js';
import { limitHeapGrowth } from '../platform/memory.js';
import { CliError, readCommand, USAGE } from './read-command.js';
import { openTools } from './tools.js';

/** Runs `npm run recount -- …`. Exit code 0: no findings; 1: findings; 2: the command failed. */
async function main(): Promise<number> {
  const command = readCommand(process.argv.slice(2));
  if (command === 'help') {
    process.stdout.write(`${USAGE}\n`);
    return 0;
  }
  limitHeapGrowth();
  const tools = await openTools(readConfig(process.env));
  try {
    const lines = command(tools.app);
    for (;;) {
      const { done, value } = await lines.next();
      if (done) return value ? 0 : 1;
      process.stdout.write(`${value}\n`);
    }
  } finally {
    await tools.close();
  }
}

main().then(
  (code) => (process.exitCode = code),
  (error: unknown) => {
    process.stderr.write(`recount: ${error instanceof Error ? error.message : String(error)}\n`);
    if (error instanceof CliError) process.stderr.write(`${USAGE}\n`);
    process.exitCode = 2;
  },
);
