import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { print, type Output } from '../../src/cli/output.js';
import { readCommand } from '../../src/cli/read-command.js';

async function* outputs(): AsyncGenerator<Output, boolean> {
  await Promise.resolve();
  yield 'first';
  yield { progress: 'half' };
  yield { text: 'a since 1', row: { name: 'a', since: 1 } };
  yield { text: 'bcd since 20', row: { name: 'bcd', since: 20 } };
  yield { text: 'in short', fields: { count: 2, names: ['a', 'bcd'] } };
  return false;
}

async function printed(isTerminal: boolean, asJson: boolean, yielded = outputs()) {
  let [out, notes] = ['', ''];
  const screen = {
    write: (text: string | Uint8Array) => void (out += String(text)),
    isTerminal,
    note: isTerminal ? (text: string) => void (notes += text) : undefined,
  };
  const isWell = await print(yielded, screen, asJson);
  // eslint-disable-next-line no-control-regex
  return {
    isWell,
    notes,
    lines: out
      .replaceAll(/\u001B\[\d+m/g, '')
      .trimEnd()
      .split('\n'),
  };
}

const helpOf = async (...argv: string[]): Promise<string> => {
  const invocation = await readCommand([...argv, '--help']);
  if (!('help' in invocation)) throw new Error('no help');
  return invocation.help;
};

describe('what a command prints', () => {
  it('is a line each in a pipe', async () => {
    const { lines, isWell } = await printed(false, false);
    expect(lines).toEqual(['first', 'a since 1', 'bcd since 20', 'in short']);
    expect(isWell).toBe(false);
  });

  it('is a table and progress in a terminal', async () => {
    const { lines, notes } = await printed(true, false);
    expect(lines.map((line) => line.trimEnd())).toEqual([
      'first',
      'name  since',
      'a         1',
      'bcd      20',
      'in short',
    ]);
    expect(notes).toBe('half');
  });

  it('shows the characters of a name that a terminal would obey', async () => {
    const name = 'A\u001b[2J\u009b\u202e\nB';
    async function* hostile(): AsyncGenerator<Output, boolean> {
      await Promise.resolve();
      yield { text: `named ${name}`, row: { name } };
      yield `plain ${name}`;
      yield { raw: `raw ${name}\n` };
      return true;
    }
    const seen = 'A\\u001b[2J\\u009b\\u202e';
    const { lines } = await printed(true, false, hostile());
    expect(lines.map((line) => line.trimEnd())).toEqual([
      'name',
      `${seen}\\u000aB`,
      `plain ${seen}`,
      'B',
      `raw ${seen}`,
      'B',
    ]);
    expect((await printed(false, false, hostile())).lines.slice(0, 4)).toEqual([
      `named ${seen}`,
      'B',
      `plain ${seen}`,
      'B',
    ]);
    const { lines: json } = await printed(true, true, hostile());
    expect(json[0]).toBe(`{"name":"${seen}\\nB"}`);
    expect(JSON.parse(json[0]!)).toEqual({ name });
  });

  it('is JSON, an object a line, with --json, in a terminal too', async () => {
    for (const isTerminal of [false, true]) {
      const { lines } = await printed(isTerminal, true);
      expect(lines.map((line) => JSON.parse(line) as unknown)).toEqual([
        { message: 'first' },
        { name: 'a', since: 1 },
        { name: 'bcd', since: 20 },
        { count: 2, names: ['a', 'bcd'] },
      ]);
    }
  });
});

const ORG = `org_${'0'.repeat(12)}4${'0'.repeat(3)}8${'0'.repeat(15)}`;

describe('help', () => {
  it('describes every command, every option and the exit codes', async () => {
    const top = await helpOf();
    expect(top).toMatch(/Exit codes: 0 .*; 1 .*; 2 /);
    const names = [...top.split('Commands:')[1]!.matchAll(/^ {2}([a-z]+)/gm)].map(([, name]) => name!);
    expect(names.length).toBeGreaterThan(6);
    for (const name of names.filter((one) => one !== 'help')) {
      const help = await helpOf(name);
      expect(help).toMatch(new RegExp(`^Usage: recount ${name}`));
      expect(help.split('\n\n')[1]).toMatch(/^[A-Z][^]*\.$/);
    }
  });

  it('describes every sub-command, with every argument and option', async () => {
    const seen: string[] = [];
    const walk = async (...argv: string[]): Promise<void> => {
      const help = await helpOf(...argv);
      const name = argv.join(' ');
      seen.push(name);
      expect(help.split('\n\n')[1]).toMatch(/^[A-Z][^]*\.$/);
      for (const part of ['Arguments', 'Options', 'Commands']) {
        const [, list = ''] = help.split(`${part}:\n`);
        const entries = list.split('\n\n')[0]!.split(/\n(?= {2}\S)/);
        for (const entry of entries.filter((one) => one !== '')) {
          expect([name, entry]).toEqual([name, expect.stringMatching(/^ {2}\S.*?(?: {2,}|\n +)\S/)]);
        }
        if (part !== 'Commands') continue;
        const names = entries.flatMap((entry) => /^ {2}([a-z-]+)/.exec(entry)?.[1] ?? []);
        for (const one of names.filter((command) => command !== 'help')) await walk(...argv, one);
      }
    };
    await walk();
    expect(seen.length).toBeGreaterThan(15);
  });

  it('prints the version', async () => {
    const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string };
    expect(await readCommand(['--version'])).toEqual({ help: `${version}\n` });
  });

  it.each([
    [['verfy', '--all'], /unknown command 'verfy'[\s\S]*verify/],
    [['verify', '--al'], /unknown option '--al'[\s\S]*--all/],
    [['doctor', '--sample', 'many'], /--sample <count>[\s\S]*whole number/],
    [['doctor', '--sample', '99999999999999999999'], /--sample <count>[\s\S]*whole number/],
    [['replay', 'subscription', 'plan_1'], /sub_…/],
    [['verify', '--all', '--organization', 'x'], /--organization/],
    [['verify', '--all', '--organization', ORG], /verify takes no --organization/],
    [['park', 'list', '--organization', ORG], /park list takes no --organization/],
    [['--organization', ORG, 'park', 'retry', '--all'], /park retry takes no --organization/],
    [['projections', 'status', '--organization', ORG], /projections status takes no --organization/],
  ])('a mistake is named, with the nearest word: %j', async (argv, message) => {
    await expect(readCommand(argv)).rejects.toThrow(message);
  });
});
