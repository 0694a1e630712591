import { type Command as Program, CommanderError } from 'commander';
import { type SelectedCommand, programOf } from './program.js';

/** Invalid command line; the message names the wrong part, and the usage of the command. */
export class CliError extends Error {
  override readonly name = 'CliError';
}

export type Invocation = (SelectedCommand & { readonly asJson: boolean }) | { readonly help: string };

/**
 * Reads the command line. The modules of the commands are loaded after the command is known, so that help and
 * mistakes are answered at once.
 * @throws CliError that names the invalid part
 */
export async function readCommand(argv: readonly string[]): Promise<Invocation> {
  let text = '';
  let chosen: SelectedCommand | undefined;
  const program = programOf((one) => (chosen = one));
  for (const one of everyCommand(program)) {
    one.exitOverride().showHelpAfterError(`See: recount ${nameOf(one)}--help`);
    one.configureOutput({ writeOut: (out) => (text += out), writeErr: (out) => (text += out) });
  }
  try {
    await program.parseAsync([...argv], { from: 'user' });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    if (error.exitCode === 0) return { help: text };
    throw new CliError(text.replace(/^error: /, '').trim());
  }
  return { ...chosen!, asJson: program.opts<{ json: boolean }>().json };
}

function* everyCommand(program: Program): Generator<Program> {
  yield program;
  for (const command of program.commands) yield* everyCommand(command);
}

function nameOf(command: Program): string {
  const above = command.parent;
  return above === null ? '' : `${nameOf(above)}${command.name()} `;
}
