import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startTestApp } from '../support/app.js';
import { CLOCK_START, writeShopBooks } from '../tamper/shop-books.js';
import { sweepBundle, type BundleTally, type SweptBundle } from '../tamper/bundle-sweep.js';
import { exportBundle } from '../tamper/exported-bundle.js';

/** A changed bundle of each kind and place is found; `npm run tamper -- --bundle` tries each change. */
describe('an evidence bundle that was changed', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'recount-bytes-'));
  let bundle: SweptBundle;

  beforeAll(async () => {
    const app = await startTestApp({ clockStart: CLOCK_START });
    try {
      bundle = await exportBundle(app, writeShopBooks, folder);
    } finally {
      await app.stop();
    }
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  const missedOf = (tallies: ReadonlyMap<string, BundleTally>) =>
    [...tallies].flatMap(([kind, { missed }]) => missed.map((place) => `${kind}: ${place}`));

  it('in a bit, by a cut, or in its files with every hash anew is found', async () => {
    const tallies = await sweepBundle(bundle, 97);
    expect(missedOf(tallies)).toEqual([]);
    expect([...tallies.keys()].length).toBeGreaterThan(20);
  });

  it('in a bit around the files is refused', async () => {
    const tallies = await sweepBundle(bundle, 41, ({ kind }) => /^bit of (?!compressed)/.test(kind));
    for (const [kind, { tried, refused }] of tallies)
      expect({ kind, refused }).toEqual({ kind, refused: tried });
  });
});
