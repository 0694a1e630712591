import { Injectable } from '@nestjs/common';
import { BOOTSTRAP_KEY_ID } from '../../organization/api-keys/api-keys.js';
import type { Uuid } from '../../kernel/ids.js';
import { Database } from '../../platform/database/open-database.js';

/** Actors of an organization without an API key. */
const ACTORS_WITHOUT_KEY: readonly (readonly [string, string])[] = [
  ['system', 'the scheduler'],
  ['cli', 'the command line'],
  [BOOTSTRAP_KEY_ID, 'the bootstrap key'],
];

/** Looks up the names of the API keys behind the actors of events. */
@Injectable()
export class ActorNames {
  constructor(private readonly database: Database) {}

  /** Returns the name of each actor of the organization by its id. */
  async of(org: Uuid): Promise<ReadonlyMap<string, string>> {
    const { rows } = await this.database.pool.query<{ id: Uuid; name: string }>({
      name: 'audit-actor-names',
      text: 'select id, name from api_keys where org = $1',
      values: [org],
    });
    return new Map([...ACTORS_WITHOUT_KEY, ...rows.map(({ id, name }) => [id, name] as const)]);
  }

  /** Returns the id of the key with this prefix; any other text is already an id. */
  async idOf(org: Uuid, actor: string): Promise<string> {
    const { rows } = await this.database.pool.query<{ id: Uuid }>({
      name: 'audit-actor-id',
      text: 'select id from api_keys where org = $1 and prefix = $2',
      values: [org, actor],
    });
    return rows[0]?.id ?? actor;
  }
}
