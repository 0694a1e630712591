import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from '@jest/globals';

const root = path.resolve(import.meta.dirname, '../..');
const lines = readFileSync(path.join(root, 'Dockerfile'), 'utf8').replace(/\\\n/g, ' ').split('\n');
/** Returns the arguments of each occurrence of an instruction. */
const all = (instruction: string): string[] =>
  lines
    .filter((line) => line.trim().startsWith(`${instruction} `))
    .map((line) => line.trim().slice(instruction.length + 1));
const env = Object.fromEntries(
  all('ENV').flatMap((line) => line.split(' ').map((pair) => pair.split('=') as [string, string])),
);

describe('the Dockerfile', () => {
  it('builds on a Node that package.json takes, and runs what npm start runs', () => {
    const { scripts } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')) as {
      scripts: { start: string };
    };
    for (const image of all('FROM')) expect(image).toMatch(/^node:24-/);
    expect(JSON.parse(all('CMD').at(-1)!)).toEqual(scripts.start.split(' '));
  });

  it('runs as an ordinary user, stops on the signal the process listens for, and holds no secret', () => {
    expect(all('USER')).toEqual(['node']);
    expect(all('STOPSIGNAL')).toEqual(['SIGTERM']);
    expect(Object.keys(env).sort()).toEqual(['HOST', 'MANAGEMENT_PORT', 'NODE_ENV', 'PORT']);
  });

  it('runs no script of a package while it is built', () => {
    const installs = all('RUN').flatMap(
      (line) => line.match(/npm (ci|install|prune|rebuild)\b[^&|;]*/g) ?? [],
    );
    expect(installs).toHaveLength(2);
    for (const install of installs) expect(install).toContain('--ignore-scripts');
  });

  it('is healthy while the process is ready, as its management port says', () => {
    const [check] = all('HEALTHCHECK');
    expect(check).toContain(`http://127.0.0.1:${env['MANAGEMENT_PORT']}/readiness`);
    expect(all('EXPOSE')).toEqual([`${env['PORT']} ${env['MANAGEMENT_PORT']}`]);
  });

  it('leaves out what belongs to a machine', () => {
    const ignored = readFileSync(path.join(root, '.dockerignore'), 'utf8').split('\n');
    for (const name of ['.git', '.data', 'dist', 'node_modules']) expect(ignored).toContain(name);
    expect(existsSync(path.join(root, 'package-lock.json'))).toBe(true);
  });
});
