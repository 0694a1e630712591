import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { newTenant } from '../support/another-tenant.js';
import { startTestApp, type TestApp } from '../support/app.js';

const FOLDER = 'docs/guides';

/** A block of commands of a guide, and what it is said to print: JSON that the answer contains, or the text, where … is any part of a line. */
interface Step {
  readonly commands: string;
  readonly prints: { readonly form: 'json' | 'text'; readonly content: string } | undefined;
}

const BLOCK = /^```(\w*)\n(.*?)^```$/gms;

/** The ```sh blocks of a page in order, each with the ```json or ```text block right behind it. */
function stepsOf(page: string): Step[] {
  const blocks = [...page.matchAll(BLOCK)];
  return blocks.flatMap((block, index): Step[] => {
    const [whole, form, commands] = block;
    if (form !== 'sh') return [];
    const next = blocks[index + 1];
    const between = next && page.slice(block.index + whole.length, next.index);
    const isPrinted = between?.trim() === '' && (next![1] === 'json' || next![1] === 'text');
    const prints = isPrinted ? { form: next![1] as 'json' | 'text', content: next![2]! } : undefined;
    return [{ commands: commands!, prints }];
  });
}

/** Matches the text that a guide says is printed. */
const saidBy = (content: string): RegExp =>
  new RegExp(
    `^${content
      .trim()
      .replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)
      .replaceAll('…', '.+')}$`,
  );

const read = (name: string): Step[] => stepsOf(readFileSync(path.join(FOLDER, name), 'utf8'));
/** The commands of the first screen: from nothing to an invoice. */
const ofReadme = (): Step[] =>
  stepsOf(/^## From nothing to an invoice$.*?(?=^## )/ms.exec(readFileSync('README.md', 'utf8'))![0]);

const VERIFIER = path.resolve('dist/verifier/recount-verify.mjs');
const CURL = path.resolve(import.meta.dirname, '../support/curl.mjs');
/** A machine without curl gets its few options that the guides use. */
const SHIM = spawnSync('curl', ['--version']).error
  ? `curl() { node '${CURL}' "$@"; }; export -f curl\n`
  : '';

/** Runs the steps in one shell, as a reader does. @returns what each printed */
async function run(steps: readonly Step[], env: Record<string, string>): Promise<string[]> {
  const script = SHIM + steps.map(({ commands }) => `${commands}\nprintf '\\n@@@@\\n'`).join('\n');
  const shell = spawn('bash', ['-euo', 'pipefail', '-c', script], {
    cwd: mkdtempSync(path.join(tmpdir(), 'recount-guide-')),
    env: { PATH: process.env['PATH']!, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let [out, errors] = ['', ''];
  shell.stdout.on('data', (text) => (out += String(text)));
  shell.stderr.on('data', (text) => (errors += String(text)));
  const [code] = (await once(shell, 'close')) as [number | null];
  if (code !== 0) throw new Error(`the guide's shell ended with ${code}: ${errors}\n${out}`);
  return out.split('\n@@@@\n').slice(0, -1);
}

describe('every guide', () => {
  let app: TestApp;
  beforeAll(async () => {
    execFileSync(process.execPath, [path.resolve('scripts/build-verifier.mjs')]);
    app = await startTestApp({ clockStart: '2026-01-01T00:00:00Z' });
  });
  afterAll(() => app.stop());

  it.each(['the first screen', ...readdirSync(FOLDER).filter((name) => name !== 'README.md')])(
    'does what it says, command by command: %s',
    async (name) => {
      const { key } = await newTenant(app.service);
      const isReadme = name === 'the first screen';
      const guide = isReadme ? ofReadme() : read(name);
      expect(guide.length).toBeGreaterThan(0);
      // The first guide explains what the page before it prepares for the others.
      const isFirst = isReadme || name.startsWith('first-');
      const steps = isFirst ? guide : [...read('README.md'), ...guide];
      const printed = await run(steps, { RECOUNT: app.url, KEY: key, VERIFIER });
      for (const [index, { commands, prints }] of steps.entries()) {
        const text = printed[index]!.trim();
        // An answer that is an error has a type that says so.
        expect({ commands, text }).not.toMatchObject({ text: expect.stringMatching(/#\w+-error"/) });
        if (prints?.form === 'text')
          expect({ commands, text }).toEqual({
            commands,
            text: expect.stringMatching(saidBy(prints.content)),
          });
        if (prints?.form === 'json')
          expect(JSON.parse(text)).toMatchObject(JSON.parse(prints.content) as object);
      }
    },
  );
});
