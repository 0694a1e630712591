import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from '@jest/globals';

const ROOT = path.resolve(import.meta.dirname, '../..');

/** Words that the glossary replaced: `FollowUps` and `followUp` both read "follow up". */
const REPLACED = [
  'account streams',
  'billed together',
  'born for express',
  'carried by',
  'carry out',
  'catalog streams',
  'changed together',
  'close of',
  'closed base',
  'closes',
  'closing level',
  'collect early',
  'continuation',
  'desk',
  'due work',
  'each of',
  'follow up',
  'forgotten',
  'gatherer',
  'gathering',
  'give back',
  'give up',
  'given back',
  'going on',
  'is guess',
  'is new',
  'late comer',
  'late work',
  'left to their run',
  'moved on',
  'pass on',
  'pieces',
  'placement',
  'read once',
  'rehearse',
  'remembers all',
  'renewed inside',
  'seat',
  'set off',
  'shared looks',
  'stand aside',
  'standing',
  'story',
  'surroundings',
  'turns',
  'whole account',
  'with what paid',
];
/** Replaced as whole names; inside others they have another meaning. */
const REPLACED_NAMES = ['Bodies', 'Measure', 'Offer', 'ReadBody'];

const COMMENTED = ['src', 'projections', 'demo', 'verifier', 'clients', 'console'];
const files = execFileSync('git', ['ls-files', '-co', '--exclude-standard', ...COMMENTED], {
  cwd: ROOT,
  encoding: 'utf8',
})
  .split('\n')
  .filter((file) => /\.tsx?$/.test(file) && existsSync(path.join(ROOT, file)))
  .map((file) => ({ file, text: readFileSync(path.join(ROOT, file), 'utf8') }));

/** The first line of each comment; a `//` line that continues a comment is none. */
function beginnings(text: string): string[] {
  const lines = text.split('\n').map((line) => line.trim());
  return lines.flatMap((line, index) => {
    if (line === '/**') return [lines[index + 1]!.replace(/^\*\s*/, '')];
    if (line.startsWith('/**')) return [line.replace(/^\/\*\*\s*/, '')];
    if (line.startsWith('//') && !lines[index - 1]?.startsWith('//')) return [line.replace(/^\/\/\s*/, '')];
    return [];
  });
}

/** `FOLLOW_UPS`, `followUps` → "follow ups". */
const wordsOf = (name: string): string =>
  name
    .replaceAll('_', ' ')
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .toLowerCase();

describe('prose', () => {
  it('begins no comment with "What", "Of", "Those" or "Who"', () => {
    const found = files.flatMap(({ file, text }) =>
      beginnings(text)
        .filter((line) => /^(What|Of|Those|Who)\b/.test(line))
        .map((line) => `${file}: ${line}`),
    );
    expect(found).toEqual([]);
  });

  it('exports no name with a word that the glossary replaced', () => {
    const replaced = new RegExp(`\\b(${REPLACED.join('|')})s?\\b`);
    const named = files.filter(({ file }) => /^(src|projections)\//.test(file));
    const found = named.flatMap(({ file, text }) =>
      [
        ...text.matchAll(
          /^export (?:declare |abstract |async )*(?:function\*?|class|interface|type|const|enum) (\w+)/gm,
        ),
      ]
        .map(([, name]) => name!)
        .filter((name) => REPLACED_NAMES.includes(name) || replaced.test(wordsOf(name)))
        .map((name) => `${file}: ${name}`),
    );
    expect(found).toEqual([]);
  });
});
