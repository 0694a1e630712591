import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from '@jest/globals';

const ROOT = path.resolve(import.meta.dirname, '../..');
const CODE = /\.(tsx?|mjs|cjs|js|yml|json)$|(^|\/)Dockerfile$/;
/** Test input and generated files, which contain no citations. */
const UNREAD = /^(package-lock\.json|test\/fixtures\/|test\/architecture\/fixtures\/)/;

const tracked = execFileSync('git', ['ls-files', '-co', '--exclude-standard'], {
  cwd: ROOT,
  encoding: 'utf8',
})
  .split('\n')
  .filter((file) => file !== '' && !UNREAD.test(file) && existsSync(path.join(ROOT, file)));
const read = (file: string): string => readFileSync(path.join(ROOT, file), 'utf8');
const pages = tracked.filter((file) => file.endsWith('.md'));
const sources = tracked.filter((file) => CODE.test(file) && file !== 'test/architecture/citations.spec.ts');

const withoutFences = (markdown: string): string => markdown.replace(/^```[^]*?^```$/gm, '');

/** Returns the anchors of a page, as GitHub derives them from headings. */
function anchorsOf(markdown: string): Set<string> {
  const anchors = new Set<string>();
  for (const [, heading] of withoutFences(markdown).matchAll(/^#{1,6} +(.+?) *$/gm)) {
    const text = heading!.replace(/\[([^\]]*)\]\([^)]*\)/g, '$1').toLowerCase();
    const slug = text.replace(/[^\p{L}\p{M}\p{N}\p{Pc} -]/gu, '').replaceAll(' ', '-');
    let unique = slug;
    for (let count = 1; anchors.has(unique); count += 1) unique = `${slug}-${count}`;
    anchors.add(unique);
  }
  return anchors;
}
const anchors = new Map(pages.map((page) => [page, anchorsOf(read(page))]));

/** Returns why a link does not open; undefined when it does. */
function fault(target: string, anchor: string | undefined): string | undefined {
  if (!existsSync(path.join(ROOT, target))) return 'no such file';
  if (anchor && !anchors.get(target)?.has(anchor)) return 'no such anchor';
  return undefined;
}

interface Citation {
  readonly file: string;
  readonly cited: string;
  readonly fault: string | undefined;
}

/** Pages that code names: by their path from the root, `docs/billing.md#tiers`, or by their name beside the file. */
const inCode = sources.flatMap((file): Citation[] =>
  [...read(file).matchAll(/(?<![\w/.*-])((?:[\w-]+\/)*[\w-]+\.md)\b(?:#([\w-]+))?/g)].map(
    ([cited, target, anchor]) => ({ file, cited, fault: fault(target!, anchor) }),
  ),
);

const links = pages.flatMap((file): Citation[] =>
  [...withoutFences(read(file)).matchAll(/\]\(([^)\s#]*)(?:#([^)\s]*))?\)/g)]
    .filter(([, target]) => !/^[a-z]+:/.test(target!))
    .map(([cited, target, anchor]) => {
      const resolved = target ? path.posix.join(path.posix.dirname(file), target) : file;
      return { file, cited, fault: fault(resolved, anchor) };
    }),
);

/** Matches the comments of TypeScript and JavaScript. */
const COMMENT = /\/\*[^]*?\*\/|(?<=^|[\s;{}(),])\/\/[^\n]*/g;
const scripts = sources.filter((file) => /\.(tsx?|mjs|cjs|js)$/.test(file));
const prose = [
  ...pages.map((file) => ({ file, text: withoutFences(read(file)) })),
  ...scripts.map((file) => ({ file, text: (read(file).match(COMMENT) ?? []).join('\n') })),
];

/**
 * Returns why a file that prose names is not found, or undefined. It is found by its path, beside or below the prose, or
 * anywhere else if only one file has the name.
 */
function fileFault(from: string, name: string): string | undefined {
  const folder = path.posix.dirname(from);
  if ([name, path.posix.join(folder, name)].some((file) => tracked.includes(file))) return undefined;
  const others = tracked.filter((file) => file.endsWith(`/${name}`));
  const beside = folder === '.' ? [] : others.filter((file) => file.startsWith(`${folder}/`));
  if (beside.length === 1 || others.length === 1) return undefined;
  return others.length === 0 ? 'no such file' : 'several files';
}

/** Files that prose names: `src/kernel/money.ts`, or `money.ts` beside the page; the text of a link has its target. */
const namedFiles = prose.flatMap(({ file, text }): Citation[] => {
  const name = file.endsWith('.md')
    ? /(?<!\[)`((?:[\w.@-]+\/)*[\w.-]+\.(?:tsx?|mjs|cjs|md))`/g
    : /(?<![\w/.*@<>-])((?:[\w@-]+\/)*[\w.-]+\.(?:tsx?|mjs|cjs))\b/g;
  return [...text.matchAll(name)].map(([, cited]) => ({
    file,
    cited: cited!,
    fault: fileFault(file, cited!),
  }));
});

/** Names of other products and of examples, which no code has to contain. */
const FOREIGN = new Set(
  `EventBus AggregateRoot EventPublisher $all plainToInstance canonicalize dataloader batchScheduleFn pg_dump
  pg_restore pg_switch_wal transform_quantity external_id transaction_id finalized beginbfrange ReadReq
  Owner thing_id FollowUps followUp FOLLOW_UPS followUps`.split(/\s+/),
);
const words = new Set(
  tracked
    .filter((file) => CODE.test(file) || file.endsWith('.sql') || file.endsWith('.py'))
    .flatMap(
      (file) =>
        read(file)
          .replace(COMMENT, ' ')
          .match(/[A-Za-z_$][\w$]*/g) ?? [],
    ),
);
/** Identifiers that prose names in backticks, such as `Money`, `account.unpaid` or `verify(id)`. */
const namedIdentifiers = prose
  .filter(({ file }) => file !== 'CHANGELOG.md')
  .flatMap(({ file, text }): Citation[] =>
    [...text.matchAll(/`([A-Za-z$][\w$]*(?:\.[A-Za-z_$][\w$]*)*)(?:\([^`]*\))?`/g)]
      .map(([, name]) => name!)
      .filter((name) => !/\.(tsx?|mjs|md|js|sql)$|^[0-9a-f]{64}$/.test(name))
      .filter((name) => !FOREIGN.has(name.split('.')[0]!))
      .map((cited) => ({
        file,
        cited,
        fault: cited.split('.').every((part) => words.has(part)) ? undefined : 'in no code',
      })),
  );

const broken = (citations: readonly Citation[]): readonly Citation[] =>
  citations.filter((citation) => citation.fault);

describe('citations', () => {
  it('in code open a page of the repository, at an anchor that it has', () => {
    expect(inCode.length).toBeGreaterThan(250);
    expect(broken(inCode)).toEqual([]);
  });

  it('in pages open a file of the repository, at an anchor that it has', () => {
    expect(links.length).toBeGreaterThan(50);
    expect(broken(links)).toEqual([]);
  });

  it('of files in pages and comments name one file that exists', () => {
    expect(namedFiles.length).toBeGreaterThan(300);
    expect(broken(namedFiles)).toEqual([]);
  });

  it('of identifiers in pages and comments name what code has', () => {
    expect(namedIdentifiers.length).toBeGreaterThan(1_000);
    expect(broken(namedIdentifiers)).toEqual([]);
  });

  it('give every term of the glossary one line and one file', () => {
    const rows = read('docs/glossary.md').match(/^\| (?!term|stored name|-).*$/gm)!;
    expect(rows.length).toBeGreaterThan(60);
    const terms = rows.map((row) => row.split(' | ')[0]);
    expect(new Set(terms).size).toBe(rows.length);
    expect(rows.filter((row) => !/^\| [^|]+ \| [^|]+ \| \[`[\w.-]+`\]\([^)]+\) +\|$/.test(row))).toEqual([]);
  });

  it('of each released event type are in the README of a module', () => {
    const released = JSON.parse(read('test/golden/events/released.json')) as object;
    const types = new Set(Object.keys(released).map((shape) => shape.split(' ')[0]!));
    const modules = pages.filter((file) => /^src\/[\w-]+\/README\.md$/.test(file)).map(read);
    expect(types.size).toBeGreaterThan(50);
    expect(
      [...types].filter((type) => !modules.some((page) => new RegExp(`\\b${type}\\b`).test(page))),
    ).toEqual([]);
  });

  it('name a rule by its anchor, not by the number of a section', () => {
    const numbered = [...sources, ...pages].flatMap((file) =>
      [...read(file).matchAll(/^.*\bsections? \d.*$/gim)].map(([line]) => `${file}: ${line.trim()}`),
    );
    expect(numbered).toEqual([]);
  });

  it('name decisions that are recorded', () => {
    const decisions = new Set(
      tracked.flatMap((file) => /^docs\/adr\/(\d{4})-/.exec(file)?.[1] ?? []).map((number) => Number(number)),
    );
    const unknown = [...sources, ...pages].flatMap((file) =>
      [...read(file).matchAll(/\bADRs? (\d+)/g)]
        .filter(([, number]) => !decisions.has(Number(number)))
        .map(([cited]) => `${file}: ${cited}`),
    );
    expect(unknown).toEqual([]);
  });
});
