import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { reachableBin } from '../../../src/platform/database/embedded/postgres-binaries.js';
import { canReach } from '../../../src/platform/database/embedded/run-program.js';

/** Account that owns nothing in these tests, as `nobody` does. */
const NOBODY = { uid: 65534, gid: 65534 };

describe('the binaries root drops its rights for', () => {
  let place: string;
  const bundle = (): { bin: string; bundle: { root: string; name: string } } => {
    const root = join(place, 'home', 'native');
    mkdirSync(join(root, 'bin'), { recursive: true });
    mkdirSync(join(root, 'lib'));
    writeFileSync(join(root, 'bin', 'postgres'), '', { mode: 0o700 });
    writeFileSync(join(root, 'lib', 'libpq.so.5.18'), '', { mode: 0o600 });
    writeFileSync(
      join(root, 'pg-symlinks.json'),
      JSON.stringify([{ source: 'native/lib/libpq.so.5.18', target: 'native/lib/libpq.so.5' }]),
    );
    return { bin: join(root, 'bin'), bundle: { root, name: 'postgres-1' } };
  };
  beforeEach(() => {
    place = mkdtempSync(join(tmpdir(), 'recount-binaries-'));
    chmodSync(place, 0o755);
  });
  afterEach(() => rmSync(place, { recursive: true, force: true }));

  it('are used where they are when the account can reach them, with the links a blocked install left out', () => {
    const found = bundle();
    chmodSync(join(found.bin, 'postgres'), 0o755);
    expect(reachableBin(found, NOBODY, join(place, 'copies'))).toBe(found.bin);
    expect(lstatSync(join(found.bundle.root, 'lib/libpq.so.5')).isSymbolicLink()).toBe(true);
    expect(existsSync(join(place, 'copies'))).toBe(false);
  });

  it('are copied once, open to all and with their links, when a closed home stands before them', () => {
    const found = bundle();
    chmodSync(join(place, 'home'), 0o700);
    const bin = reachableBin(found, NOBODY, join(place, 'copies'));
    expect(bin).toBe(join(place, 'copies', 'postgres-1', 'bin'));
    expect(canReach(join(bin, 'postgres'), NOBODY)).toBe(true);
    expect(statSync(join(bin, '../lib/libpq.so.5')).mode & 0o777).toBe(0o644);

    const made = statSync(join(bin, 'postgres')).ino;
    expect(reachableBin(found, NOBODY, join(place, 'copies'))).toBe(bin);
    expect(statSync(join(bin, 'postgres')).ino).toBe(made);
  });

  it('are refused with the way out when they cannot be copied', () => {
    const { bin } = bundle();
    expect(() => reachableBin({ bin }, NOBODY, join(place, 'copies'))).toThrow(/set DATABASE_URL/);
  });
});
