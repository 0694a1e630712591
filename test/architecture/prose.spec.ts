import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from '@jest/globals';
import ts from 'typescript';

const ROOT = path.resolve(import.meta.dirname, '../..');

/** Words that the glossary replaced: `FollowUps` and `followUp` both read "follow up". */
const REPLACED = [
  'account streams',
  'billed together',
  'born for express',
  'carried by',
  'carried out',
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
  'gave back',
  'give back',
  'give up',
  'given back',
  'gives back',
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
/** Replaced names whose words are plain English in a sentence, or a name of SQL. */
const PLAIN_IN_SENTENCES = [
  'close of',
  'closes',
  'due work',
  'each of',
  'forgotten',
  'is new',
  'pieces',
  'read once',
  'seat',
  'turns',
];
/** Words replaced only where they are the whole name; inside longer names they have another meaning. */
const REPLACED_NAMES = ['Bodies', 'Measure', 'Offer', 'ReadBody'];

/** Names of stored events, rows, golden cases and the contract, which history and callers fix; `seats` are what the demo sells. */
const FIXED = [
  'billedTogether',
  'closes',
  'forgottenUpTo',
  'given_back',
  'givenBack',
  'isNew',
  'is_new',
  'kept_and_given_back',
  'seats',
  'setOffs',
  'usage_closes',
];

/** First words of fragments: a comment begins with a verb or a noun. */
const FRAGMENTS =
  /^(Also|Because|Below|By|From|How|Its|Later|Nobody|Other|Others|Over|So|Their|There|These|Unless|Until|When|Where|Whether|Which|While|Whoever|Whose)\b/;

const COMMENTED = ['src', 'projections', 'demo', 'verifier', 'clients', 'console', 'test'];
const files = execFileSync('git', ['ls-files', '-co', '--exclude-standard', ...COMMENTED], {
  cwd: ROOT,
  encoding: 'utf8',
})
  .split('\n')
  .filter((file) => /\.tsx?$/.test(file) && existsSync(path.join(ROOT, file)))
  .map((file) => ({ file, text: readFileSync(path.join(ROOT, file), 'utf8') }));

/** Returns the first line of each comment. A `//` line after another one does not begin a comment. */
function beginnings(text: string): string[] {
  const lines = text.split('\n').map((line) => line.trim());
  return lines.flatMap((line, index) => {
    if (line === '/**') return [lines[index + 1]!.replace(/^\*\s*/, '')];
    if (line.startsWith('/**')) return [line.replace(/^\/\*\*\s*/, '')];
    if (line.startsWith('//') && !lines[index - 1]?.startsWith('//')) return [line.replace(/^\/\/\s*/, '')];
    return [];
  });
}

/** Returns the words of a name: `FOLLOW_UPS`, `followUps` → "follow ups". */
const wordsOf = (name: string): string =>
  name
    .replaceAll('_', ' ')
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .toLowerCase();

const anyOf = (words: readonly string[]) => new RegExp(`\\b(${words.join('|')})s?\\b`);
const REPLACED_WORD = anyOf(REPLACED);
const REPLACED_IN_SENTENCES = anyOf(REPLACED.filter((word) => !PLAIN_IN_SENTENCES.includes(word)));

/** Returns the comments of a file, each as one line without the names in backticks. */
function commentsOf(text: string): string[] {
  const comments = text.match(/\/\*[^]*?\*\/|(?<=^|[\s;{}(),])\/\/[^\n]*(?:\n\s*\/\/[^\n]*)*/g) ?? [];
  return comments.map((comment) => comment.replace(/`[^`]*`/g, '').replace(/\n\s*(\*|\/\/)?\s*/g, ' '));
}

const SYNTAX = {
  languageVersion: ts.ScriptTarget.Latest,
  jsDocParsingMode: ts.JSDocParsingMode.ParseNone,
};

/** Returns the names that a file declares: of functions, types, methods, fields, parameters and locals. */
function declaredNames(source: ts.SourceFile): Set<string> {
  const names = new Set<string>();
  const visit = (node: ts.Node): void => {
    const { name } = node as { name?: ts.Node };
    const isUse = [
      ts.isPropertyAccessExpression,
      ts.isPropertyAssignment,
      ts.isImportSpecifier,
      ts.isBindingElement,
    ];
    if (name && ts.isIdentifier(name) && !isUse.some((is) => is(node))) names.add(name.text);
    ts.forEachChild(node, visit);
  };
  visit(source);
  return names;
}

const isReplaced = (name: string): boolean => !FIXED.includes(name) && REPLACED_WORD.test(wordsOf(name));

/** Returns the declared names with a replaced word. It parses only a text with an identifier of such a name, as parsing all takes seconds. */
function replacedNames(file: string, text: string): string[] {
  if (![...new Set(text.match(/[A-Za-z_$][\w$]*/g))].some(isReplaced)) return [];
  return [...declaredNames(ts.createSourceFile(file, text, SYNTAX))].filter(isReplaced);
}

/** Returns the titles of the specs in a file: the first arguments of `describe` and `it`, also of `it.each(…)`. */
function titlesOf(file: string, text: string): string[] {
  const titles: string[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isCallExpression(node)) {
      let called: ts.Node = node.expression;
      while (ts.isCallExpression(called) || ts.isPropertyAccessExpression(called)) called = called.expression;
      const [title] = node.arguments;
      if (
        ts.isIdentifier(called) &&
        /^(describe|it)$/.test(called.text) &&
        title &&
        ts.isStringLiteralLike(title)
      )
        titles.push(title.text);
    }
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile(file, text, SYNTAX));
  return titles;
}

const saysReplaced = (sentence: string): boolean => REPLACED_IN_SENTENCES.test(sentence.toLowerCase());

/** Returns the titles with a replaced word. It parses only a text with such a word, as parsing all takes seconds. */
const replacedTitles = (file: string, text: string): string[] =>
  saysReplaced(text.replace(/\\./g, ' ')) ? titlesOf(file, text).filter(saysReplaced) : [];

describe('prose', () => {
  it('begins no comment with "What", "Of", "Those" or "Who"', () => {
    const found = files.flatMap(({ file, text }) =>
      beginnings(text)
        .filter((line) => /^(What|Of|Those|Who)\b/.test(line))
        .map((line) => `${file}: ${line}`),
    );
    expect(found).toEqual([]);
  });

  it('begins no comment with a fragment', () => {
    const found = files.flatMap(({ file, text }) =>
      beginnings(text)
        .filter((line) => FRAGMENTS.test(line))
        .map((line) => `${file}: ${line}`),
    );
    expect(found).toEqual([]);
  });

  it('declares no name with a word that the glossary replaced', () => {
    const checked = files.filter(({ file }) => !file.includes('/generated/'));
    const found = checked.flatMap(({ file, text }) =>
      replacedNames(file, text).map((name) => `${file}: ${name}`),
    );
    expect(checked.length).toBeGreaterThan(300);
    expect(found).toEqual([]);
    expect(replacedNames('x.ts', 'const say = ({ isNew: old }, Gathering) => { enum SEATS {} };')).toEqual([
      'Gathering',
      'SEATS',
    ]);
  });

  it('exports no name with a word that the glossary replaced', () => {
    const named = files.filter(({ file }) => /^(src|projections)\//.test(file));
    const found = named.flatMap(({ file, text }) =>
      [
        ...text.matchAll(
          /^export (?:declare |abstract |async )*(?:function\*?|class|interface|type|const|enum) (\w+)/gm,
        ),
      ]
        .map(([, name]) => name!)
        .filter((name) => REPLACED_NAMES.includes(name) || REPLACED_WORD.test(wordsOf(name)))
        .map((name) => `${file}: ${name}`),
    );
    expect(found).toEqual([]);
  });

  it('titles no spec with a word that the glossary replaced', () => {
    const specs = files.filter(({ file }) => file.endsWith('.spec.ts'));
    const found = specs.flatMap(({ file, text }) =>
      replacedTitles(file, text).map((title) => `${file}: ${title}`),
    );
    expect(specs.length).toBeGreaterThan(500);
    expect(found).toEqual([]);
    const example = `
      describe('a seat', () => it('We stand aside\\n', x)); // on desks
      describe.each([['a story']])('%s', (_, given) => it.only.each(given)("gives\\ngiven back", x));
      it(\`rehearses\`, () => say('whole account'));`;
    expect(replacedTitles('x.ts', example)).toEqual(['We stand aside\n', 'gives\ngiven back', 'rehearses']);
  });

  it('has no comment with a word that the glossary replaced', () => {
    const comments = files
      .filter(({ file }) => !file.includes('/generated/') && file !== 'test/architecture/prose.spec.ts')
      .flatMap(({ file, text }) => commentsOf(text).map((comment) => `${file}: ${comment}`));
    expect(comments.length).toBeGreaterThan(5_000);
    expect(comments.filter(saysReplaced)).toEqual([]);
  });
});
