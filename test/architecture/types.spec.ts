import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

const root = path.resolve(import.meta.dirname, '../..');

/** Source files, each named after the only rule that it breaks. */
const BROKEN = {
  'no-floating-promises': `const f = async (): Promise<void> => {}; export const g = (): void => { f(); };`,
  'no-misused-promises': `export const f = (): void => [1].forEach(async () => Promise.resolve());`,
  'await-thenable': `export const f = async (): Promise<number> => await 3;`,
  'switch-exhaustiveness-check': `export function f(kind: 'a' | 'b'): void { switch (kind) { case 'a': } }`,
  TS2322: `export const count: number = 'three';`,
  TS2532: `export const first = (list: readonly string[]): number => list[0].length;`,
  TS1272: `import { Body, Controller, Post } from '@nestjs/common';
    import { Shape } from './sound.js';
    @Controller() export class Shapes { @Post() keep(@Body() shape: Shape): string { return shape.name; } }`,
  TS2305: `export { Nothing } from './sound.js';`,
};
const SOUND = `
export interface Shape { readonly name: string }
export function kept(kind: 'a' | 'b'): string { switch (kind) { case 'a': return kind; default: return 'other'; } }
export const written = async (): Promise<void> => { await Promise.resolve(); void written(); };`;

describe('npm run check:types', () => {
  let folder: string;
  let found: string[];

  beforeAll(() => {
    folder = mkdtempSync(path.join(tmpdir(), 'recount-types-'));
    for (const file of ['package.json', 'tsconfig.json', '.oxlintrc.json'])
      cpSync(path.join(root, file), path.join(folder, file));
    symlinkSync(path.join(root, 'node_modules'), path.join(folder, 'node_modules'));
    mkdirSync(path.join(folder, 'src'));
    writeFileSync(path.join(folder, 'src/sound.ts'), SOUND);
    for (const [name, text] of Object.entries(BROKEN))
      writeFileSync(path.join(folder, `src/${name}.ts`), text);
    const { stdout } = spawnSync('npm', ['run', '--silent', 'check:types', '--', '--format', 'unix'], {
      cwd: folder,
      encoding: 'utf8',
    });
    found = [...stdout.matchAll(/^src\/(.+)\.ts:.*\/typescript\((.+)\)\]$/gm)].map(
      ([, file, rule]) => `${file} by ${rule}`,
    );
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  it.each(Object.keys(BROKEN))('reports %s in the file that breaks it', (rule) => {
    expect(found.filter((line) => line.startsWith(`${rule} by`))).toEqual([`${rule} by ${rule}`]);
  });

  it('reports nothing in code that breaks no rule', () => {
    expect(found).toHaveLength(Object.keys(BROKEN).length);
  });
});
