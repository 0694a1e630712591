import { randomUUID } from 'node:crypto';
import { change, type Projection, type RowChange } from '../../../projections/runtime/projection.js';
import { type RecordedEvent, streamName } from '../../../src/kernel/event.js';
import type { Uuid } from '../../../src/kernel/ids.js';
import { instant, type Instant } from '../../../src/kernel/instant.js';
import type { EventStore, NewEvent } from '../../../src/platform/eventsourcing/store/event-store.js';

/** Row of a read model for tests whose columns have every type that rows use. */
interface WalletRow {
  org: Uuid;
  wallet: Uuid;
  balance: string;
  moves: string;
  weight: number;
  frozen: boolean | null;
  opened_at: Instant;
  labels: string[];
  last: { amount: string; by: string | null } | null;
}

interface TotalRow {
  org: Uuid;
  label: string;
  amount: string;
}

const ORG = '0b8f6d0e-2f5c-4c55-9d6b-3f1f0a1c7e10';

export type Move =
  | { type: 'Opened'; wallet: Uuid; labels: string[] }
  | { type: 'Moved'; wallet: Uuid; amount: number; by: string | null }
  | { type: 'Frozen'; wallet: Uuid }
  | { type: 'Closed'; wallet: Uuid }
  | { type: 'Seen'; wallet: Uuid };

type MoveEvent<Type extends Move['type']> = RecordedEvent<{
  type: Type;
  data: Extract<Move, { type: Type }>;
}>;

const plus = (a: string, b: number): string => (BigInt(a) + BigInt(b)).toString();

const wallet = (
  event: MoveEvent<Move['type']>,
  next: (row: WalletRow | undefined) => WalletRow | undefined,
): RowChange => change<WalletRow>('wallets', { org: ORG, wallet: event.data.wallet }, next);

/** Returns the projection under a name of its own, so that tests share no tables or checkpoints. */
export function walletsProjection(suffix: string): Projection {
  const rename = (changes: RowChange[]): RowChange[] =>
    changes.map((one) => ({ ...one, table: `${one.table}_${suffix}` }));
  return {
    name: `wallets-${suffix}`,
    version: 1,
    tables: {
      [`wallets_${suffix}`]: {
        comment: "Wallets, as the test's own",
        columns: {
          org: { type: 'uuid not null', comment: 'Organization' },
          wallet: { type: 'uuid not null', comment: 'The wallet' },
          balance: { type: 'numeric not null', comment: 'Sum of its moves' },
          moves: { type: 'bigint not null', comment: 'Number of its moves' },
          weight: { type: 'double precision not null', comment: 'Half its moves' },
          frozen: { type: 'boolean', comment: 'Whether it is frozen; null until somebody said' },
          opened_at: { type: 'timestamptz not null', comment: 'When it was opened' },
          labels: { type: 'jsonb not null', comment: 'Labels', isUnread: true },
          last: { type: 'jsonb', comment: 'Its last move' },
        },
        key: ['org', 'wallet'],
        indexes: ['(org, opened_at)'],
      },
      [`totals_${suffix}`]: {
        comment: 'Sum of moves per label',
        columns: {
          org: { type: 'uuid not null', comment: 'Organization' },
          label: { type: 'text not null', comment: 'Who moved' },
          amount: { type: 'numeric not null', comment: 'Sum' },
        },
        key: ['org', 'label'],
      },
    },
    categories: ['account'],
    on: {
      Opened: (event: MoveEvent<'Opened'>) =>
        rename([
          wallet(event, () => ({
            org: ORG,
            wallet: event.data.wallet,
            balance: '0',
            moves: '0',
            weight: 0,
            frozen: null,
            opened_at: event.metadata.recordedAt,
            labels: event.data.labels,
            last: null,
          })),
        ]),
      Moved: (event: MoveEvent<'Moved'>) => {
        const { amount, by } = event.data;
        const total = { org: ORG, label: by ?? 'nobody' };
        return rename([
          wallet(
            event,
            (row) =>
              row && {
                ...row,
                balance: plus(row.balance, amount),
                moves: plus(row.moves, 1),
                weight: row.weight + 0.5,
                last: { amount: String(amount), by },
              },
          ),
          change<TotalRow>('totals', total, (row) => ({
            ...total,
            amount: plus(row?.amount ?? '0', amount),
          })),
        ]);
      },
      Frozen: (event: MoveEvent<'Frozen'>) =>
        rename([wallet(event, (row) => row && { ...row, frozen: true })]),
      Closed: (event: MoveEvent<'Closed'>) => rename([wallet(event, () => undefined)]),
      Seen: 'ignore',
    },
  };
}

/** Appends each move to the stream of its wallet. */
export async function append(
  store: EventStore,
  ...moves: (Move | { type: 'Evaporated'; wallet: Uuid })[]
): Promise<void> {
  const revisions = new Map<string, bigint>();
  for (const { type, ...data } of moves) {
    const stream = streamName('account', ORG, data.wallet);
    if (!revisions.has(stream)) {
      for await (const { revision } of store.readStream(stream)) revisions.set(stream, revision);
    }
    const appended = await store.append(stream, revisions.get(stream) ?? 'no_stream', [newMove(type, data)]);
    revisions.set(stream, appended.revision);
  }
}

const newMove = (type: string, data: object): NewEvent => ({
  id: randomUUID(),
  type,
  data,
  metadata: {
    org: ORG,
    commandId: randomUUID(),
    correlationId: 'test',
    actor: 'system',
    recordedAt: instant('2026-01-31T12:00:00.000001Z'),
    schemaVersion: 1,
  },
});

export const WALLETS: readonly Uuid[] = [1, 2, 3, 4].map((n) => `00000000-0000-4000-8000-00000000000${n}`);

/** Sample history with every kind of move: opened, moved, frozen, closed and opened again. */
export const HISTORY: readonly Move[] = [
  { type: 'Opened', wallet: WALLETS[0]!, labels: [] },
  { type: 'Moved', wallet: WALLETS[0]!, amount: 5, by: null },
  { type: 'Opened', wallet: WALLETS[1]!, labels: ['a "quoted"', 'ż'] },
  { type: 'Moved', wallet: WALLETS[1]!, amount: -3, by: 'ann' },
  { type: 'Seen', wallet: WALLETS[1]! },
  { type: 'Closed', wallet: WALLETS[0]! },
  { type: 'Moved', wallet: WALLETS[0]!, amount: 7, by: 'ann' },
  { type: 'Frozen', wallet: WALLETS[1]! },
];

export async function allEvents(store: EventStore): Promise<RecordedEvent[]> {
  const events: RecordedEvent[] = [];
  for await (const event of store.readAll()) events.push(event);
  return events;
}
