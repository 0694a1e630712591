import { withFiles, withoutFiles, type BundleFiles, type Forged } from '../cli/evidence/edit-bundle.js';

/** Returns a bundle without a checkpoint, so that no proof shows that its events were recorded. */
export const withoutProofs = (files: BundleFiles): BundleFiles =>
  withoutFiles(
    files,
    ...[...files.keys()].filter((name) => /^(?:proofs\/|checkpoint|consistency)/.test(name)),
  );

/** JSON that is nested too deeply for recursive code. */
const DEEP = `${'['.repeat(30_000)}${']'.repeat(30_000)}`;
/** Placeholder for DEEP, which `JSON.stringify` cannot write. */
const DEEP_MARK = 'nested deeply';
const HUGE_MARK = 'a huge number';

/** Values that replace a member of any type. */
const ODD: readonly unknown[] = [
  ...[null, true, 1.5, -1, 1e8, 1e300, '', 'odd', '-7', '1e9'],
  ...['0001-01-01T00:00:00.000000Z', '9999-12-31T23:59:59.999999Z'],
  ...[[], [null], {}, { toString: null }, DEEP_MARK, HUGE_MARK],
];

export interface HostileChange {
  readonly location: string;
  readonly files: BundleFiles;
}

/**
 * Replaces every member of every kind of line by values of other types, and removes it. Of similar members, such as
 * one member of all events of a type, one is changed.
 * @param every tries each n-th change
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
          const location = `${name}, line ${index + 1}, ${path.join('.')} = ${JSON.stringify(odd)}`;
          yield { location, files: withFiles(files, { [name]: content }) };
        }
      }
    }
  }
}

const textOf = (value: unknown): string =>
  JSON.stringify(value).replace(`"${DEEP_MARK}"`, DEEP).replace(`"${HUGE_MARK}"`, '1e999');

/** Returns the paths of all members of a value, objects and lists included; of a list only the first item. */
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
