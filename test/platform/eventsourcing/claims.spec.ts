import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { DomainError } from '../../../src/kernel/errors.js';
import { Claims } from '../../../src/platform/eventsourcing/claims/claims.js';
import type { Claim } from '../../../src/platform/eventsourcing/claims/claim.js';
import type { CommandContext } from '../../../src/platform/eventsourcing/command-runner/command-context.js';
import { InMemoryEventStore } from '../../support/in-memory-event-store.js';
import { newContext, ORG } from '../../support/counter.js';
import { newEvent } from '../../support/events.js';
import { createTestDatabase, type TestDatabase } from '../../support/postgres.js';

const OTHER_ORG = '1b8f6d0e-2f5c-4c55-9d6b-3f1f0a1c7e11';
const name = (key: string): Claim => ({ kind: 'plan_name', key });
const id = (key: string): Claim => ({ kind: 'customer_id', key });
const refusal = ({ key }: Claim) => new DomainError('duplicate_resource', `${key} is taken.`);

function gate() {
  let open = (): void => {};
  const opened = new Promise<void>((resolve) => (open = resolve));
  return { opened, open };
}

describe('claims', () => {
  let database: TestDatabase;
  let store: InMemoryEventStore;
  let claims: Claims;
  const take = (owner: string, ...wanted: Claim[]) => claims.take(ORG, wanted, owner, { refusal });
  const owners = async () => {
    const { rows } = await database.pool.query<{ key: string; owner_stream: string }>(
      'select key, owner_stream from claims order by key',
    );
    return Object.fromEntries(rows.map((row) => [row.key, row.owner_stream]));
  };
  const write = (stream: string) => store.append(stream, 'no_stream', [newEvent()]);
  const age = () => database.pool.query(`update claims set taken_at = now() - interval '2 minutes'`);

  beforeAll(async () => {
    database = await createTestDatabase();
  });
  beforeEach(async () => {
    await database.pool.query('truncate claims');
    store = new InMemoryEventStore();
    claims = new Claims(database.pool, store);
  });
  afterAll(() => database.drop());

  it('what one stream owns is refused to another, in the same organization', async () => {
    await take('plan-1', name('Basic'));
    await expect(take('plan-2', name('Basic'))).rejects.toMatchObject({ code: 'duplicate_resource' });
    await claims.take(OTHER_ORG, [name('Basic')], 'plan-3', { refusal });
  });

  it('a repeat of the command meets its own claim', async () => {
    await take('plan-1', name('Basic'));
    await take('plan-1', name('Basic'));
    expect(await owners()).toEqual({ Basic: 'plan-1' });
  });

  it('of several claims all are taken or none', async () => {
    await take('customer-1', id('acme'));
    await expect(take('customer-2', id('acme'), name('free'))).rejects.toMatchObject({
      detail: 'acme is taken.',
    });
    expect(await owners()).toEqual({ acme: 'customer-1' });
  });

  it('a refusal takes nothing away from what the owner had before', async () => {
    await take('customer-1', id('acme'));
    await take('customer-2', name('mine'));
    await expect(take('customer-2', name('mine'), id('acme'))).rejects.toBeInstanceOf(DomainError);
    expect(await owners()).toEqual({ acme: 'customer-1', mine: 'customer-2' });
  });

  it('of two at the same moment one wins', async () => {
    const results = await Promise.allSettled(
      Array.from({ length: 8 }, (_, n) => take(`plan-${n}`, name('Basic'), name('Other'))),
    );
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(new Set(Object.values(await owners())).size).toBe(1);
  });

  it('those of one moment are judged each by itself', async () => {
    await take('plan-0', name('Gold'));
    const wanted = [['Basic'], ['Gold', 'Silver'], ['Basic'], ['Bronze'], ['\u0000'], ['Silver']];
    const results = await Promise.allSettled(
      wanted.map((names, place) => take(`plan-${place + 1}`, ...names.map(name))),
    );
    const granted = ['fulfilled', 'rejected', 'rejected', 'fulfilled', 'rejected', 'fulfilled'];
    expect(results.map(({ status }) => status)).toEqual(granted);
    expect(await owners()).toEqual({ Basic: 'plan-1', Bronze: 'plan-4', Gold: 'plan-0', Silver: 'plan-6' });
  });

  it('a released claim is free', async () => {
    await take('plan-1', name('Basic'));
    await claims.release(ORG, [name('Basic')], 'plan-2');
    await expect(take('plan-2', name('Basic'))).rejects.toBeInstanceOf(DomainError);
    await claims.release(ORG, [name('Basic')], 'plan-1');
    await take('plan-2', name('Basic'));
  });

  it('a claim whose stream was never written is taken over, but not while its command may still run', async () => {
    await take('plan-1', name('Basic'));
    await expect(take('plan-2', name('Basic'))).rejects.toBeInstanceOf(DomainError);
    await age();
    await take('plan-2', name('Basic'));
    expect(await owners()).toEqual({ Basic: 'plan-2' });
  });

  it('a repeat that finds its own old claim keeps others from it while it runs', async () => {
    await take('plan-1', name('Basic'));
    await age();
    await take('plan-1', name('Basic'));
    await expect(take('plan-2', name('Basic'))).rejects.toBeInstanceOf(DomainError);
    expect(await owners()).toEqual({ Basic: 'plan-1' });
  });

  it('a refused request for a claim does not make it younger', async () => {
    await take('plan-1', name('Basic'));
    await expect(take('plan-2', name('Basic'), name('Other'))).rejects.toBeInstanceOf(DomainError);
    await age();
    await take('plan-2', name('Basic'));
    expect(await owners()).toEqual({ Basic: 'plan-2' });
  });

  it('a claim whose stream was written is never taken over', async () => {
    await take('plan-1', name('Basic'));
    await write('plan-1');
    await age();
    await expect(take('plan-2', name('Basic'))).rejects.toBeInstanceOf(DomainError);
  });

  describe('of a stream that can be renamed', () => {
    /** Values that streams have. */
    let values: Record<string, string>;
    const rules = {
      refusal,
      isHeld: async ({ key }: Claim, stream: string) => values[stream] === key,
    };
    const hold = <Result>(owner: string, key: string, command: (leased: CommandContext) => Promise<Result>) =>
      claims.holding(newContext(), [name(key)], owner, rules, command);
    /** Renames a stream. */
    const rename = (owner: string, key: string) => hold(owner, key, async () => (values[owner] = key));
    const refused = () => Promise.reject(new DomainError('precondition_failed', 'changed'));

    beforeEach(async () => {
      values = {};
      await write('plan-1');
      await rename('plan-1', 'Basic');
    });

    it('a claim of a rename that died is taken over, but not while it may still run', async () => {
      const dying = hold('plan-1', 'Gold', () => Promise.reject(new Error('the process died here')));
      await expect(dying).rejects.toThrow('died');
      await expect(rename('plan-2', 'Gold')).rejects.toMatchObject({ code: 'duplicate_resource' });
      await age();
      await rename('plan-2', 'Gold');
      await expect(rename('plan-2', 'Basic')).rejects.toMatchObject({ code: 'duplicate_resource' });
      expect(await owners()).toEqual({ Basic: 'plan-1', Gold: 'plan-2' });
    });

    it('a claim that is restored is given up where the stream was renamed since its name was read', async () => {
      await rename('plan-1', 'Gold');
      await claims.release(ORG, [name('Basic'), name('Gold')], 'plan-1');
      await claims.restore(ORG, name('Gold'), 'plan-1', rules);
      await claims.restore(ORG, name('Basic'), 'plan-1', rules);
      expect(await owners()).toEqual({ Gold: 'plan-1' });
    });

    it('a refused rename releases the name that it took', async () => {
      await expect(hold('plan-1', 'Gold', refused)).rejects.toMatchObject({ code: 'precondition_failed' });
      await rename('plan-2', 'Gold');
    });

    it('a refused rename to the present name leaves its claim', async () => {
      await expect(hold('plan-1', 'Basic', refused)).rejects.toMatchObject({ code: 'precondition_failed' });
      expect(await owners()).toEqual({ Basic: 'plan-1' });
    });

    it.each([
      ['before', 0],
      ['after', 1],
    ])('a refused rename that took the name %s an equal one leaves the claim to it', async (_, loser) => {
      const [firstTook, secondTook, isRefused] = [gate(), gate(), gate()];
      const running = (place: number) =>
        hold('plan-1', 'Gold', async () => {
          (place === 0 ? firstTook : secondTook).open();
          await secondTook.opened;
          if (place === loser) return refused();
          await isRefused.opened;
          return (values['plan-1'] = 'Gold');
        });
      const first = running(0);
      await firstTook.opened;
      const both = [first, running(1)];
      await expect(both[loser]).rejects.toMatchObject({ code: 'precondition_failed' });
      isRefused.open();
      expect(await both[1 - loser]).toBe('Gold');
      expect(await owners()).toEqual({ Basic: 'plan-1', Gold: 'plan-1' });
    });
  });
});
