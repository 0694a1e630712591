import { randomBytes } from 'node:crypto';
import {
  chownSync,
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { makeFolder } from '../../make-folder.js';
import { executable } from './postgres-binaries.js';
import { isAlive, runProgram, canReach, type Account } from './run-program.js';

export const SUPERUSER = 'recount';

/** The folder of an embedded server: `data` (the cluster) and the files beside it. */
export class ClusterFolder {
  readonly data: string;

  constructor(
    readonly path: string,
    readonly bin: string,
    readonly account: Account | undefined,
  ) {
    this.data = join(path, 'data');
  }

  get exists(): boolean {
    return existsSync(this.data);
  }

  password(): string {
    return readFileSync(join(this.path, 'password'), 'utf8');
  }

  file(name: 'server.log' | 'owner'): string {
    return join(this.path, name);
  }

  /** Runs a PostgreSQL program on the cluster, in the cluster's folder, as the account that owns it. */
  run(program: 'initdb' | 'pg_ctl', ...args: string[]): Promise<void> {
    const data = pathFor(this.data, this.account);
    return runProgram(executable(this.bin, program), ['-D', data, ...args], {
      cwd: this.data,
      account: this.account,
    });
  }

  /**
   * Makes the cluster, unless another process does at the same moment. It gets its name when it is complete, so a
   * process killed in the middle leaves no half cluster. Local users have to know the password, which only the
   * owner of the folder can read.
   */
  async create(durable: boolean): Promise<void> {
    const parent = dirname(this.path);
    makeFolder(parent);
    const prefix = `${basename(this.path)}.new-`;
    for (const entry of readdirSync(parent)) {
      const maker = Number(entry.slice(prefix.length));
      const abandoned = entry.startsWith(prefix) && (maker === process.pid || !isAlive(maker));
      if (abandoned) rmSync(join(parent, entry), { recursive: true, force: true });
    }
    const staging = new ClusterFolder(join(parent, `${prefix}${process.pid}`), this.bin, this.account);
    for (const path of [staging.path, staging.data]) mkdirSync(path, { mode: 0o700 });
    writeFileSync(join(staging.path, 'password'), randomBytes(24).toString('base64url'), { mode: 0o600 });
    for (const name of ['', 'data', 'password']) this.changeOwner(join(staging.path, name));
    const access = ['-U', SUPERUSER, '-A', 'scram-sha-256', '--pwfile=../password'];
    const form = ['-E', 'UTF8', '--locale=C', '--no-instructions', ...(durable ? [] : ['--no-sync'])];
    try {
      await staging.run('initdb', ...access, ...form);
      renameSync(staging.path, this.path);
    } catch (error) {
      rmSync(staging.path, { recursive: true, force: true });
      if (!this.exists) throw error;
    }
  }

  private changeOwner(path: string): void {
    if (this.account) chownSync(path, this.account.uid, this.account.gid);
  }
}

/**
 * A data folder below a home that is closed to others cannot be named by its path once root has dropped its rights.
 * On Linux the programs start in the folder (entered before the rights are dropped) and name it by that fact.
 */
function pathFor(data: string, account: Account | undefined): string {
  if (!account || canReach(data, account)) return data;
  if (process.platform === 'linux') return '/proc/self/cwd';
  throw new Error(
    `The account ${account.uid} cannot enter ${data}: set DATA_DIR to another place, or DATABASE_URL.`,
  );
}
