import { execFileSync, fork, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { until } from '../support/until.js';

const root = path.resolve(import.meta.dirname, '../..');
const COPIED = ['scripts', 'package.json', 'package-lock.json', 'tsconfig.json', 'nest-cli.json'];

/** A checkout with two source files: one that runs, and one that it loads when it is asked to. */
describe('the build of the service', () => {
  let checkout: string;
  const write = (file: string, text: string): void => writeFileSync(path.join(checkout, file), text);
  /** Returns what the build tells beside its output. */
  const build = (): string => {
    const command = [process.execPath, ['scripts/build-service.mjs']] as const;
    const { status, stdout, stderr } = spawnSync(...command, { cwd: checkout, encoding: 'utf8' });
    if (status !== 0) throw new Error(`The build failed: ${stderr}`);
    expect(stdout).toBe('');
    return stderr;
  };
  const builds = (): string[] =>
    readdirSync(path.join(checkout, 'dist/builds'))
      .filter((name) => name.startsWith('service-'))
      .sort();
  /** Waits until a process has marked its build: until then it has not found out which one it runs. */
  const marked = (pid: number): Promise<unknown> =>
    until(() =>
      builds().some((name) => existsSync(path.join(checkout, 'dist/builds', name, 'in-use', `${pid}`))),
    );

  beforeAll(() => {
    checkout = mkdtempSync(path.join(tmpdir(), 'recount-build-'));
    for (const name of COPIED) cpSync(path.join(root, name), path.join(checkout, name), { recursive: true });
    symlinkSync(path.join(root, 'node_modules'), path.join(checkout, 'node_modules'));
    for (const folder of ['src', 'projections', 'demo', 'clients/typescript/src']) {
      mkdirSync(path.join(checkout, folder), { recursive: true });
    }
    write('projections/main.ts', 'export {};\n');
    write('demo/demo.ts', 'export {};\n');
    write('src/later.ts', "export const text = 'the first build';\n");
    mkdirSync(path.join(checkout, 'src/platform'));
    cpSync(
      path.join(root, 'src/platform/build-in-use.ts'),
      path.join(checkout, 'src/platform/build-in-use.ts'),
    );
    write(
      'src/main.ts',
      "import { markBuildInUse } from './platform/build-in-use.js';\nmarkBuildInUse(import.meta.dirname);\n" +
        "process.on('message', () => void import('./later.js').then(({ text }) => process.send!(text)));\n",
    );
  });
  afterAll(() => rmSync(checkout, { recursive: true, force: true }));

  it('leaves a running process the build it was started from, and uses a build again that exists', async () => {
    expect(build()).toBe('Building the service: its sources are new. This takes up to a minute.\n');
    const first = builds();
    const running = fork(path.join(checkout, 'dist/src/main.js'));
    try {
      await marked(running.pid!);
      expect(build()).toBe('');
      expect(builds()).toEqual(first);

      write('src/later.ts', "export const text = 'the second build';\n");
      build();
      expect(builds()).toHaveLength(2);

      const answer = once(running, 'message');
      running.send('load');
      expect((await answer)[0]).toBe('the first build');
    } finally {
      running.kill();
    }

    const next = fork(path.join(checkout, 'dist/src/main.js'));
    try {
      const answer = once(next, 'message');
      next.send('load');
      expect((await answer)[0]).toBe('the second build');
    } finally {
      next.kill();
    }
  });

  it('keeps a build that runs, however many newer ones there are, and nothing of a killed build', async () => {
    write('src/later.ts', "export const text = 'the build that runs';\n");
    build();
    const running = fork(path.join(checkout, 'dist/src/main.js'), { stdio: 'pipe' });
    try {
      await marked(running.pid!);
      const used = builds();
      const { pid } = spawnSync(process.execPath, ['--eval', '']);
      mkdirSync(path.join(checkout, `dist/builds/service-new-${pid}`));
      for (let newer = 1; newer <= 6; newer += 1)
        mkdirSync(path.join(checkout, `dist/builds/service-newer-${newer}`));
      write('src/later.ts', "export const text = 'the newest build';\n");
      build();
      const left = builds();
      expect(left.some((name) => name.startsWith('service-new-'))).toBe(false);
      expect(left.filter((name) => !used.includes(name))).toHaveLength(6);
      expect(left.filter((name) => used.includes(name))).toHaveLength(1);
      const answer = once(running, 'message');
      running.send('load');
      expect((await answer)[0]).toBe('the build that runs');
    } finally {
      running.kill('SIGKILL');
      await once(running, 'exit');
    }
    write('src/later.ts', "export const text = 'the build after it ended';\n");
    build();
    expect(builds()).toHaveLength(6);
  });

  it('keeps what runs when the sources do not compile', () => {
    const before = builds();
    write('src/later.ts', 'export const text: string = 1;\n');
    expect(build).toThrow();
    expect(builds()).toEqual(before);
    const main = path.join(checkout, 'dist/src/main.js');
    expect(() => execFileSync(process.execPath, ['--check', main])).not.toThrow();
  });
});
