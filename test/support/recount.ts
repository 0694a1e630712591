import { readCommand } from '../../src/cli/read-command.js';
import type { TestApp } from './app.js';

/** What `npm run recount -- …` prints and whether all is well, in the service's own process. */
export async function recount(
  { service }: TestApp,
  ...argv: string[]
): Promise<{ lines: string[]; isWell: boolean }> {
  const command = readCommand(argv);
  if (command === 'help') throw new Error('no command');
  const printed = command(service.app);
  const lines: string[] = [];
  for (;;) {
    const { done, value } = await printed.next();
    if (done) return { lines, isWell: value };
    lines.push(value);
  }
}
