import type { INestApplicationContext } from '@nestjs/common';
import { outputText, type Output } from '../../src/cli/output.js';
import { readCommand } from '../../src/cli/read-command.js';
import type { TestApp } from './app.js';

interface Printed {
  readonly lines: string[];
  readonly isWell: boolean;
}

/** Runs a command line of `npm run recount` in the service's process. */
export const recount = ({ service }: TestApp, ...argv: string[]): Promise<Printed> =>
  recountIn(service.app, ...argv);

export async function recountIn(app: INestApplicationContext, ...argv: string[]): Promise<Printed> {
  const invocation = await readCommand(argv);
  if ('help' in invocation) throw new Error('no command');
  return printedBy(invocation.command(app), invocation.asJson);
}

export async function printedBy(outputs: AsyncGenerator<Output, boolean>, asJson = false): Promise<Printed> {
  const lines: string[] = [];
  for (;;) {
    const { done, value } = await outputs.next();
    if (done) return { lines, isWell: value };
    lines.push(...(outputText(value, asJson)?.split('\n') ?? []));
  }
}
