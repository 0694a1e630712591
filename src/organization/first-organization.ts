import { Inject, Injectable } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { derivedId, namedId } from '../kernel/ids.js';
import { CONFIG, type Config } from '../platform/config/config.js';
import { ApiKeys } from './api-keys/api-keys.js';
import { makeKey, prefixOf } from './api-keys/key-text.js';
import { CreateOrganization } from './commands/create-organization.js';

export const FIRST_ORGANIZATION = namedId('recount:first-organization');

/** Creates the first organization and its admin key at the first start (docs/operating.md#settings). */
@Injectable()
export class FirstOrganization {
  constructor(
    private readonly commands: CommandBus,
    private readonly keys: ApiKeys,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /** Runs before the first request. */
  async open(): Promise<void> {
    const commandId = derivedId(FIRST_ORGANIZATION, 'created');
    await this.commands.execute(
      new CreateOrganization({ org: FIRST_ORGANIZATION, commandId, correlationId: 'start', actor: 'system' }),
    );
    await (this.config.apiKey ? this.addGivenKey(this.config.apiKey) : this.makeFirstKey());
  }

  private async addGivenKey(key: string): Promise<void> {
    const id = derivedId(FIRST_ORGANIZATION, `given-key:${prefixOf(key)}`);
    await this.add(id, key, 'API_KEY');
  }

  /** Prints the key before it stores it. The id is the same in every process, so only one of them stores a key. */
  private async makeFirstKey(): Promise<void> {
    if ((await this.keys.list(FIRST_ORGANIZATION)).length > 0) return;
    const { key } = makeKey();
    const made = await this.add(derivedId(FIRST_ORGANIZATION, 'first-key'), key, 'First key');
    if (made) process.stdout.write(`The API key of the first organization, shown this once: ${key}\n`);
  }

  private add(id: string, key: string, name: string) {
    return this.keys.add({ id, org: FIRST_ORGANIZATION, key, name, scope: 'admin', expiresAt: null });
  }
}
