/** Differing value, both times as text. */
interface DifferingValue {
  /** Member of the compared objects; empty when the values are not objects. */
  readonly member: string;
  readonly one: string;
  readonly other: string;
}

/** Difference as the page shows it. */
export interface ShownDifference {
  /** Differing part: the invoice with its line or count, or the file with its line. */
  readonly place: string;
  /** Names of the two values in the sentence. */
  readonly names: readonly [string, string];
  /** Empty when the sentence has no two values. */
  readonly values: readonly DifferingValue[];
}

/**
 * Forms of sentences: where the first value begins, with its name and perhaps an end of the place before it, and both
 * values with the name of the second. Each part is searched once, as a forged bundle can make a sentence of 2 MB.
 */
const PAIRS: readonly (readonly [begin: RegExp, values: RegExp])[] = [
  [/:? (?<a>stored) /u, /^(?<one>.*), (?<b>recomputed|counted|found) (?<other>.*)$/su],
  [
    /:? (?<a>stated|recorded)(?: with hash| as)? /u,
    /^(?<one>.*), (?<b>assigned|found|it has)(?: with hash)? (?<other>.*)$/su,
  ],
  [/ (?<a>in the list of invoices) /u, /^(?<one>.*), (?<b>in the event) (?<other>.*)$/su],
  [/(?<end>: byte \d+) (?<a>is) /u, /^(?<one>\w+|no byte), (?<b>a bundle has) (?<other>\w+)$/u],
];

/** Extracts the two values from a sentence of the verifier; a sentence of another form is shown whole. */
export function shownDifference(sentence: string): ShownDifference {
  for (const [begin, values] of PAIRS) {
    const first = begin.exec(sentence);
    const both = first && values.exec(sentence.slice(first.index + first[0].length));
    if (!both) continue;
    const { a = '', end = '' } = first.groups!;
    const { one = '', b = '', other = '' } = both.groups!;
    const place = sentence.slice(0, first.index) + end;
    return { place, names: [a, b], values: [...differing('', parsed(one), parsed(other))] };
  }
  return { place: sentence, names: ['', ''], values: [] };
}

/** Yields the members of two values that differ, with their paths. */
function* differing(member: string, one: unknown, other: unknown): Generator<DifferingValue> {
  const [a, b] = [textOf(one), textOf(other)];
  if (a === b) return;
  if (!isObject(one) || !isObject(other)) {
    yield { member, one: a, other: b };
    return;
  }
  // Entries are counted from 1, as the lines of an invoice are.
  const isList = Array.isArray(one) && Array.isArray(other);
  for (const name of new Set([...Object.keys(one), ...Object.keys(other)])) {
    const shown = isList ? String(Number(name) + 1) : name;
    yield* differing(member === '' ? shown : `${member}.${shown}`, one[name], other[name]);
  }
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null;

const textOf = (value: unknown): string =>
  value === undefined ? 'absent' : typeof value === 'string' ? value : JSON.stringify(value);

function parsed(text: string): unknown {
  if (!/^[[{]/.test(text)) return text;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
