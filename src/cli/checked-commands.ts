import type { INestApplicationContext } from '@nestjs/common';
import type { Uuid } from '../kernel/ids.js';
import type { Output } from './output.js';

/**
 * Yields the output.
 * @returns whether there are no findings
 */
export type Command = (app: INestApplicationContext) => AsyncGenerator<Output, boolean>;

/**
 * Imports all commands but those on read models at once: the build makes one file of them, which loads in
 * half of the time.
 */
export const loadCommands = () => import('./commands.js');

/** Returns a command that begins with a check. */
const checked = (check: (app: INestApplicationContext) => Promise<void>, command: Command): Command =>
  async function* (app) {
    await check(app);
    return yield* command(app);
  };

/** Returns a command that ends where the database has no read models yet. */
export const withReadModels = async (command: Command): Promise<Command> =>
  checked((await loadCommands()).requireReadModels, command);

/** Returns a command that ends where no organization has the id of `--organization`. */
export const ofOrganization = (org: Uuid | undefined, command: Command): Command =>
  org ? checked(async (app) => (await loadCommands()).requireOrganization(app, org), command) : command;
