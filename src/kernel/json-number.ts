/** Text of a number as JSON contains it, for `JSON.stringify` (ES2025). */
interface RawNumber {
  readonly rawJSON: string;
}
const { rawJSON, parse } = JSON as unknown as {
  readonly rawJSON: (text: string) => RawNumber;
  readonly parse: (
    text: string,
    reviver: (field: string, value: unknown, context: { readonly source?: string }) => unknown,
  ) => unknown;
};

/**
 * Returns the number that answers contain for decimal text: the nearest double, or every digit where no double is as
 * large, which `JSON.stringify` would write as null (docs/contract.md#numbers).
 */
export function jsonNumber(text: string): number {
  const nearest = Number(text);
  return Number.isFinite(nearest) ? nearest : (rawJSON(text) as unknown as number);
}

/** Parses an answer that is kept as JSON: `jsonNumber` reads its numbers. */
export const parseAnswer = (text: string): unknown =>
  parse(text, (_, value, { source }) => (typeof value === 'number' ? jsonNumber(source!) : value));
