import { Inject, Injectable } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { derivedId, namedId } from '../kernel/ids.js';
import { CONFIG, type Config } from '../platform/config/config.js';
import { ApiKeys, makeKey, prefixOf } from './api-keys/api-keys.js';
import { KeyRecords } from './api-keys/key-records.js';
import { ApiKeyImport } from './api-keys/import-keys.js';
import { CreateOrganization } from './commands/create-organization.js';
import { apiKeysDecider, KEYS } from './domain/api-keys.js';
import { startContext } from '../platform/eventsourcing/command-runner/command-context.js';
import { CommandRunner } from '../platform/eventsourcing/command-runner/command-runner.js';

export const FIRST_ORGANIZATION = namedId('recount:first-organization');

/** Creates the first organization and its admin key at the first start (docs/operating.md#settings). */
@Injectable()
export class FirstOrganization {
  constructor(
    private readonly commands: CommandBus,
    private readonly keys: ApiKeys,
    private readonly records: KeyRecords,
    private readonly keyImport: ApiKeyImport,
    private readonly runner: CommandRunner,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /** Runs before the first request. */
  async open(): Promise<void> {
    await this.keyImport.run();
    const context = startContext(FIRST_ORGANIZATION, derivedId(FIRST_ORGANIZATION, 'created'));
    await this.commands.execute(new CreateOrganization(context));
    await (this.config.apiKey ? this.addGivenKey(this.config.apiKey) : this.makeFirstKey());
  }

  private async addGivenKey(key: string): Promise<void> {
    const id = derivedId(FIRST_ORGANIZATION, `given-key:${prefixOf(key)}`);
    await this.add(id, key);
    await this.record(id);
  }

  /** Prints the key before it is accepted. Its id is fixed, so only one of several processes stores a key. */
  private async makeFirstKey(): Promise<void> {
    if ((await this.keys.list(FIRST_ORGANIZATION)).length > 0) return;
    const { key } = makeKey();
    const id = derivedId(FIRST_ORGANIZATION, 'first-key');
    const made = await this.add(id, key);
    if (made) process.stdout.write(`The API key of the first organization, shown this once: ${key}\n`);
    await this.record(id);
  }

  private add(id: string, key: string) {
    const first = { org: FIRST_ORGANIZATION, name: 'First key', scope: 'admin', expiresAt: null } as const;
    return this.keys.add({ id, key, ...first });
  }

  /** Completes the start of a process that died before the append. */
  private async record(id: string): Promise<void> {
    const key = await this.records.pending(FIRST_ORGANIZATION, id);
    if (!key) return;
    const context = startContext(FIRST_ORGANIZATION, derivedId(id, 'created'));
    await this.runner.run(apiKeysDecider, KEYS, { type: 'CreateKey', key }, context);
  }
}
