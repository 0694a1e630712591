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

const PAIRS = [
  /^(?<place>.*?):? (?<a>stored) (?<one>.*), (?<b>recomputed|counted|found) (?<other>.*)$/su,
  /^(?<place>.*?):? (?<a>stated|recorded)(?: with hash| as)? (?<one>.*), (?<b>assigned|found|it has)(?: with hash)? (?<other>.*)$/su,
  /^(?<place>.*?) (?<a>in the list of invoices) (?<one>.*), (?<b>in the event) (?<other>.*)$/su,
  /^(?<place>.*?: byte \d+) (?<a>is) (?<one>\w+|no byte), (?<b>a bundle has) (?<other>\w+)$/su,
];

/** Extracts the two values from a sentence of the verifier; a sentence of another form is shown whole. */
export function shownDifference(sentence: string): ShownDifference {
  for (const pattern of PAIRS) {
    const groups = pattern.exec(sentence)?.groups;
    if (!groups) continue;
    const { place = '', a = '', one = '', b = '', other = '' } = groups;
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
