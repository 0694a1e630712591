import type { Pool } from 'pg';
import type { Uuid } from '../../../kernel/ids.js';
import { Batcher } from '../../concurrency/batcher.js';
import type { Claim } from './claim.js';
import { takingClaims } from './taking-claims.js';

/** The claims that one stream wants, all or none. */
export interface Wanted {
  readonly org: Uuid;
  readonly claims: readonly Claim[];
  readonly ownerStream: string;
}

/** A claim that was wanted, and whose it is now. */
export interface HeldClaim extends Claim {
  readonly owner_stream: string;
  /** Taken just now, and not held before. */
  readonly is_new: boolean;
}

interface Row extends HeldClaim {
  readonly place: number;
}

const MOST = 256;

/** Takes claims in groups, one statement and one commit for all who wait. Each still gets all it wants or nothing. */
export class ClaimTaking {
  readonly #gathering: Batcher<Wanted, readonly HeldClaim[]>;
  readonly #statement: { readonly name: string; readonly text: string };

  constructor(
    private readonly pool: Pool,
    isLogBeside: boolean,
  ) {
    this.#statement = isLogBeside
      ? { name: 'claims-take-beside', text: `${TAKE}${BEFORE_THE_LOG} from answered` }
      : { name: 'claims-take', text: `${TAKE} from answered` };
    this.#gathering = new Batcher((group) => this.#takeAll(group), { most: MOST });
  }

  /** What was wanted with its owners; the owner is another where the claim is somebody else's. */
  take(wanted: Wanted): Promise<readonly HeldClaim[]> {
    return this.#gathering.add(wanted);
  }

  /** Those who want the same go one after the other. A statement that fails is tried for each alone. */
  async #takeAll(group: readonly Wanted[]): Promise<(readonly HeldClaim[] | Error)[]> {
    const outcomes = new Map<Wanted, readonly HeldClaim[] | Error>();
    for (let left = group; left.length > 0; left = left.filter((wanted) => !outcomes.has(wanted))) {
      const round = withoutClashes(left);
      const taken = await this.#takeTogether(round).catch((error: Error) => error);
      if (taken instanceof Error && round.length > 1) {
        for (const wanted of round) {
          const alone = await this.#takeTogether([wanted]).catch((error: Error) => error);
          outcomes.set(wanted, alone instanceof Error ? alone : alone[0]!);
        }
      } else {
        round.forEach((wanted, place) =>
          outcomes.set(wanted, taken instanceof Error ? taken : taken[place]!),
        );
      }
    }
    return group.map((wanted) => outcomes.get(wanted)!);
  }

  async #takeTogether(group: readonly Wanted[]): Promise<HeldClaim[][]> {
    const claims = group.flatMap(({ org, claims, ownerStream: owner }, place) =>
      claims.map(({ kind, key }) => ({ place, org, kind, key, owner })),
    );
    const { rows } = await this.pool.query<Row>({ values: [JSON.stringify(claims)], ...this.#statement });
    const held = group.map((): Row[] => []);
    for (const row of rows) held[row.place]!.push(row);
    return held;
  }
}

/** In order of arrival; of those who want the same claim the first. */
function withoutClashes(group: readonly Wanted[]): Wanted[] {
  const names = new Set<string>();
  return group.filter(({ org, claims }) => {
    const own = claims.map(({ kind, key }) => `${org}/${kind}/${key}`);
    const isFree = own.every((name) => !names.has(name));
    if (isFree) for (const name of own) names.add(name);
    return isFree;
  });
}

const TAKE = `
with ${takingClaims('$1')}, answered as (
  select place, kind, key, holder as owner_stream, false as is_new from held
  union all
  select w.place, i.kind, i.key, i.owner_stream, i.is_new from inserted i join wanted w using (org, kind, key)
)
select answered.*`;

/**
 * Where the log is in the same database, the commit need not wait for the disk: the append that a claim is taken for
 * commits after it, to the same write-ahead log, and waits for all of it. A crash that takes back a claim has taken
 * back what was to own it.
 */
const BEFORE_THE_LOG = `, set_config('synchronous_commit', 'off', true)`;
