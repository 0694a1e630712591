import { withFiles, withoutFiles, type BundleFiles, type Forged } from '../cli/evidence/edit-bundle.js';

/** A bundle without a checkpoint, of which no proof shows that its events were ever recorded. */
export const withoutProofs = (files: BundleFiles): BundleFiles =>
  withoutFiles(
    files,
    ...[...files.keys()].filter((name) => /^(?:proofs\/|checkpoint|consistency)/.test(name)),
  );

/** Text of JSON that is nested deeper than code which calls itself can follow. */
const DEEP = `${'['.repeat(30_000)}${']'.repeat(30_000)}`;
/** Stands for the text above, which no program can write. */
const DEEP_MARK = 'nested deeply';
const HUGE_MARK = 'a huge number';

/** Values that a member is given, whatever its type is. */
const ODD: readonly unknown[] = [
  ...[null, true, 1.5, -1, 1e8, 1e300, '', 'odd', '-7', '1e9'],
  ...['0001-01-01T00:00:00.000000Z', '9999-12-31T23:59:59.999999Z'],
  ...[[], [null], {}, { toString: null }, DEEP_MARK, HUGE_MARK],
];

export interface HostileChange {
  readonly place: string;
  readonly files: BundleFiles;
}

/**
 * Gives every member of every kind of line values of other types, and leaves it out. Of members that are alike, such as a
 * member of all events of a type, one is changed.
 * @param every each nth change only
 */
export function* hostileChangesOf(files: BundleFiles, every: number): Generator<HostileChange> {
  let count = 0;
  for (const name of [...files.keys()].filter((one) => /\.jsonl?$/.test(one))) {
    const seen = new Set<string>();
    const lines = files.get(name)!.toString().trimEnd().split('\n');
    for (const [index, text] of lines.entries()) {
      const line = JSON.parse(text) as Forged;
      for (const path of pathsOf(line)) {
        const alike = `${line.type} ${path.join('.').replaceAll(/\b\d+\b/g, '#')}`;
        if (seen.has(alike)) continue;
        seen.add(alike);
        for (const odd of [...ODD, undefined]) {
          if (count++ % every !== 0) continue;
          const changed = lines.with(index, textOf(withMember(line, path, odd)));
          const content = `${changed.join('\n')}\n`;
          const place = `${name}, line ${index + 1}, ${path.join('.')} = ${JSON.stringify(odd)}`;
          yield { place, files: withFiles(files, { [name]: content }) };
        }
      }
    }
  }
}

const textOf = (value: unknown): string =>
  JSON.stringify(value).replace(`"${DEEP_MARK}"`, DEEP).replace(`"${HUGE_MARK}"`, '1e999');

/** The paths of all members of a value, those of objects and lists included; of a list the first only. */
function* pathsOf(value: unknown, path: readonly string[] = []): Generator<readonly string[]> {
  if (typeof value !== 'object' || value === null) return;
  for (const [name, member] of Object.entries(value)) {
    yield [...path, name];
    yield* pathsOf(member, [...path, name]);
  }
}

function withMember(value: Forged, [name, ...path]: readonly string[], other: unknown): Forged {
  const copy = Array.isArray(value) ? [...value] : { ...value };
  if (path.length > 0) copy[name!] = withMember(value[name!], path, other);
  else if (other === undefined && Array.isArray(copy)) copy.splice(Number(name), 1);
  else copy[name!] = other;
  return copy;
}
