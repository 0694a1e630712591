import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, it } from '@jest/globals';
import { run } from '../../verifier/main.js';
import { startTestApp } from '../support/app.js';
import { recount } from '../support/recount.js';
import { KINDS, KINDS_CLOCK_START, writeKindsBooks } from '../tamper/kinds-books.js';
import { pack, unpack, withLines } from '../cli/evidence/edit-bundle.js';
import { checkInPython } from '../cli/evidence/run-python.js';

const folder = mkdtempSync(path.join(tmpdir(), 'recount-kinds-'));
const file = path.join(folder, 'kinds.zip');
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('a bundle with counters, gauges, rates and an add-on', () => {
  it('verifies, by a second program too, with a gauge that continues an earlier count, and by the revision of each invoice', async () => {
    let key: string;
    const app = await startTestApp({ clockStart: KINDS_CLOCK_START });
    try {
      await writeKindsBooks(app);
      await app.request.post('/api/audit/checkpoints/').expect(201);
      key = (await app.request.get('/api/audit/keys/').expect(200)).body[0].verifier_key as string;
      expect((await recount(app, 'audit', 'export', file, '--customer', 'acme')).isWell).toBe(true);
    } finally {
      await app.stop();
    }
    let text = '';
    const code = await run(['--json', '--key', key!, file], (written) => (text += written));
    const { ok, invoices } = JSON.parse(text) as {
      ok: boolean;
      invoices: { number: string; cost_due: string; lines: number }[];
    };
    expect({ code, ok }).toEqual({ code: 0, ok: true });
    for (const { number } of invoices) {
      const found = JSON.parse(await checkInPython(file, number, key)) as { lines: string[] };
      expect(found.lines.length).toBeGreaterThan(0);
    }
    const largest = invoices.reduce((a, b) => (b.lines > a.lines ? b : a));
    expect(largest.lines).toBeGreaterThan(KINDS.length);

    const changed = withLines(await unpack(readFileSync(file)), 'invoices/0001.jsonl', ([first, ...rest]) => [
      { ...first, revision: first.revision + 1 },
      ...rest,
    ]);
    await pack(changed, file);
    expect(await run([file], (written) => (text += written))).toBe(1);
    expect(text).toMatch(/account-.+ does not hold the invoice at revision \d+/);
  });
});
