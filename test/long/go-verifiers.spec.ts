import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startTestApp } from '../support/app.js';
import { shopOf } from '../support/shop.js';
import { CLOCK_START, writeShopBooks } from '../tamper/shop-books.js';

/** Debian's libraries of Go; there is no network in a test. */
const ENV = { GO111MODULE: 'off', GOPATH: '/usr/share/gocode', GOFLAGS: '', CGO_ENABLED: '0' };
const hasGo =
  spawnSync('go', ['list', 'golang.org/x/mod/sumdb/note'], { env: { ...process.env, ...ENV } }).status === 0;
const MISSING =
  'Checkpoints and proofs were not opened with Go: install golang-go and golang-golang-x-mod-dev (Debian).';

interface Given {
  readonly key: string;
  readonly checkpoints: readonly string[];
  readonly consistency: readonly { readonly from: number; readonly hashes: readonly string[] }[];
  readonly proofs: readonly string[];
}

describe('checkpoints and proofs', () => {
  let folder: string;
  let program: string;
  let given: Given;

  const check = (input: Given) => spawnSync(program, { input: JSON.stringify(input), encoding: 'utf8' });

  beforeAll(async () => {
    if (!hasGo) return;
    folder = mkdtempSync(path.join(tmpdir(), 'recount-go-'));
    program = path.join(folder, 'check_log');
    const source = path.join(import.meta.dirname, 'check_log.go');
    const built = spawnSync('go', ['build', '-o', program, source], { env: { ...process.env, ...ENV } });
    expect(String(built.stderr)).toBe('');
    const app = await startTestApp({ clockStart: CLOCK_START });
    try {
      const checkpoints: { note: string; size: number }[] = [];
      const sign = async () =>
        checkpoints.push((await app.request.post('/api/audit/checkpoints/').expect(201)).body);
      await app.request.post('/api/features/').send({ feature_name: 'first' }).expect(201);
      await sign();
      await writeShopBooks(app);
      await sign();
      await app.request.post('/api/features/').send({ feature_name: 'last' }).expect(201);
      await sign();
      const consistency = [];
      for (const [at, { size: from }] of checkpoints.slice(0, -1).entries()) {
        const sizes = `from=${from}&to=${checkpoints[at + 1]!.size}`;
        consistency.push((await app.request.get(`/api/audit/consistency/?${sizes}`).expect(200)).body);
      }
      const [invoice] = await shopOf(app).invoices('?customer_id=acme');
      const { size } = checkpoints.at(-1)!;
      const subjects = [
        `invoice_id=${invoice.invoice_id}`,
        ...Array.from({ length: size }, (_, position) => `position=${position}`),
      ];
      const proofs: string[] = [];
      for (const subject of subjects) {
        proofs.push((await app.request.get(`/api/audit/proofs/?${subject}`).expect(200)).text);
      }
      const key = (await app.request.get('/api/audit/keys/').expect(200)).body[0].verifier_key as string;
      given = { key, checkpoints: checkpoints.map(({ note }) => note), consistency, proofs };
    } finally {
      await app.stop();
    }
  });
  afterAll(() => {
    if (hasGo) rmSync(folder, { recursive: true, force: true });
  });

  it('are opened by golang.org/x/mod/sumdb, which the Go checksum database uses', () => {
    if (!hasGo && process.env['CI']) throw new Error(MISSING);
    if (!hasGo) return void process.stderr.write(`${MISSING}\n`);
    const { stdout, stderr } = check(given);
    expect(stderr).toBe('');
    expect(stdout).toBe(`3 checkpoints, 2 consistency proofs, ${given.proofs.length} inclusion proofs\n`);
  });

  it('that were changed are refused by it', () => {
    if (!hasGo) return;
    const [first, ...others] = given.checkpoints as [string, ...string[]];
    const changed = { ...given, checkpoints: [first.replace(/\n\d+\n/, '\n9\n'), ...others] };
    expect(check(changed).stderr).toMatch(/invalid signature/);
    const [, second] = given.consistency;
    const unfit = { ...second!, hashes: [...second!.hashes].reverse() };
    expect(check({ ...given, consistency: [given.consistency[0]!, unfit] }).status).toBe(1);
    const [, one, two] = given.proofs as [string, string, string];
    const swapped = one.replace(/\nindex \d+\n/, /\nindex \d+\n/.exec(two)![0]);
    expect(check({ ...given, proofs: [swapped] }).status).toBe(1);
  });
});
