import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { instant } from '../../../src/kernel/instant.js';
import { fromBase64, toBase64, toHex } from '../../../src/transparency/domain/bytes.js';
import { formatCheckpoint } from '../../../src/transparency/domain/checkpoint.js';
import { batchLeaf, batchRoot, eventLeaf, leafHash } from '../../../src/transparency/domain/leaves.js';
import { rootOf } from '../../../src/transparency/domain/merkle.js';
import { formatNote, formatVerifierKey, noteKey } from '../../../src/transparency/domain/note.js';
import { bodyHashOf } from '../../../src/metering/domain/usage-event.js';
import { hashes, publicKeyOf, sha256, signEd25519 } from '../../support/transparency.js';

const page = readFileSync(new URL('../../../docs/transparency-log.md', import.meta.url), 'utf8');

/** Example of docs/transparency-log.md: one event, then one usage batch of two rows. */
const ORG = '0b8f6d0e-2f5c-4c55-9d6b-3f1f0a1c7e10';
const EVENT = {
  id: '5f0c1f2e-8c5b-5d8e-9a51-6a1f0f3a7b21',
  stream: `metric-${ORG}.7a1b6c6e-54f6-5b0e-8a4e-0c9f3c7d2e11`,
  revision: 0n,
  type: 'MetricRenamed',
  data: { name: 'Anfragen – ü' },
  metadata: {
    org: ORG,
    commandId: '1d2c3b4a-0f1e-5d2c-8b3a-4f5e6d7c8b9a',
    correlationId: 'r-1',
    actor: 'system',
    recordedAt: instant('2026-01-31T12:00:00Z'),
    schemaVersion: 1,
  },
};
const ROWS = ['a-1', 'a-2'].map((idempotencyId, index) => ({
  idempotencyId,
  customerKey: '3c1e5f7a-9b2d-5e4f-8a6b-7c8d9e0f1a2b',
  eventName: 'request',
  time: instant(`2026-01-31T11:59:5${index}Z`),
  properties: '{"bytes":10}',
}));
const SEED = Buffer.alloc(32, 7);

function example() {
  const bodies = ROWS.map((row) => Buffer.from(bodyHashOf(row), 'hex'));
  const root = toHex(batchRoot(hashes, bodies));
  const texts = [
    eventLeaf(EVENT, 0),
    batchLeaf(
      {
        number: 1,
        events: 2,
        earliest: ROWS[0]!.time,
        receivedAt: instant('2026-01-31T12:00:00.5Z'),
        straggler: false,
        root,
      },
      1,
    ),
  ];
  const leaves = texts.map((text) => leafHash(hashes, text));
  const origin = `recount/org_${ORG.replaceAll('-', '')}`;
  const key = noteKey(sha256, origin, publicKeyOf(SEED));
  const text = formatCheckpoint({ origin, size: 2, root: rootOf(hashes, leaves) });
  const signatures = [{ name: key.name, keyId: key.id, signature: signEd25519(SEED, Buffer.from(text)) }];
  return { bodies, root, texts, leaves, key, note: formatNote({ text, signatures }) };
}

describe('the page of the format', () => {
  it.each([
    ['the leaves', () => example().texts],
    ['the hashes of the leaves', () => example().leaves.map(toHex)],
    ['the body hashes of the rows', () => example().bodies.map(toHex)],
    ['the root of the rows', () => [example().root]],
    ['the key', () => [formatVerifierKey(example().key)]],
    ['the checkpoint', () => [example().note]],
  ])('shows %s of its example as they are computed', (_, texts) => {
    for (const text of texts()) expect(page).toContain(text);
  });
});

describe('a leaf', () => {
  it('is another one for every change of the event', () => {
    const changes = [
      { id: ORG },
      { stream: `metric-${ORG}.another` },
      { revision: 1n },
      { type: 'MetricDefined' },
      { data: { name: 'Anfragen' } },
      { metadata: { ...EVENT.metadata, actor: 'another' } },
    ];
    const texts = [...changes.map((change) => eventLeaf({ ...EVENT, ...change }, 0)), eventLeaf(EVENT, 1)];
    expect(new Set([...texts, eventLeaf(EVENT, 0)]).size).toBe(changes.length + 2);
  });

  it('does not depend on the order in which a store keeps the members', () => {
    const { schemaVersion, ...rest } = EVENT.metadata;
    expect(eventLeaf({ ...EVENT, metadata: { schemaVersion, ...rest } }, 0)).toBe(eventLeaf(EVENT, 0));
  });
});

describe('a hash in a text', () => {
  it('comes back as it was', () => {
    expect(fromBase64(toBase64(example().leaves[0]!))).toEqual(Uint8Array.from(example().leaves[0]!));
  });
});
