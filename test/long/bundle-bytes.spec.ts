import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startTestApp } from '../support/app.js';
import { KINDS_CLOCK_START, writeKindsBooks } from '../tamper/kinds-books.js';
import { CLOCK_START, writeShopBooks } from '../tamper/shop-books.js';
import {
  sweepBundle,
  sweepWithoutProofs,
  type BundleTally,
  type SweptBundle,
} from '../tamper/bundle-sweep.js';
import { exportBundle } from '../tamper/exported-bundle.js';

/** A changed bundle of each kind and place is found; `npm run tamper -- --bundle` tries each change. */
describe('an evidence bundle that was changed', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'recount-bytes-'));
  let bundle: SweptBundle;
  let ofKinds: SweptBundle;

  const exported = async (clockStart: string, write: typeof writeShopBooks) => {
    const app = await startTestApp({ clockStart });
    try {
      return await exportBundle(app, write, folder);
    } finally {
      await app.stop();
    }
  };

  beforeAll(async () => {
    bundle = await exported(CLOCK_START, writeShopBooks);
    ofKinds = await exported(KINDS_CLOCK_START, writeKindsBooks);
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  const missedOf = (tallies: ReadonlyMap<string, BundleTally>) =>
    [...tallies].flatMap(([kind, { missed }]) => missed.map((place) => `${kind}: ${place}`));

  it('in a bit, by a cut, or in its files with every hash anew is found', async () => {
    const tallies = await sweepBundle(bundle, 97);
    expect(missedOf(tallies)).toEqual([]);
    expect([...tallies.keys()].length).toBeGreaterThan(20);
  });

  it('to anything where no proof binds its events makes no rule of the verifier fail', async () => {
    const { tried, failed } = await sweepWithoutProofs(ofKinds, 29);
    expect(failed).toEqual([]);
    expect(tried).toBeGreaterThan(300);
  });

  it('in a bit around the files is refused', async () => {
    const tallies = await sweepBundle(bundle, 41, ({ kind }) => /^bit of (?!compressed)/.test(kind));
    for (const [kind, { tried, refused }] of tallies)
      expect({ kind, refused }).toEqual({ kind, refused: tried });
  });
});
