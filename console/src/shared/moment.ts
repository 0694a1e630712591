/** Instants of the API have microseconds, which JavaScript's dates lack. */
const INSTANT = /^(\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2})(?:\.(\d{1,6}))?Z$/;
const MICROS_PER_MS = 1_000n;
const MICROS_PER_SECOND = 1_000_000n;

/** Microseconds since 1970; undefined for a text that is not an instant of UTC. */
export function toMicros(at: string): bigint | undefined {
  const [, seconds, fraction = ''] = INSTANT.exec(at) ?? [];
  const ms = seconds === undefined ? Number.NaN : Date.parse(`${seconds}Z`);
  return Number.isNaN(ms) ? undefined : BigInt(ms) * MICROS_PER_MS + BigInt(fraction.padEnd(6, '0'));
}

export function fromMicros(micros: bigint): string {
  const fraction = ((micros % MICROS_PER_SECOND) + MICROS_PER_SECOND) % MICROS_PER_SECOND;
  const seconds = new Date(Number((micros - fraction) / MICROS_PER_MS)).toISOString().slice(0, 19);
  return fraction === 0n ? `${seconds}Z` : `${seconds}.${String(fraction).padStart(6, '0')}Z`;
}

/** Returns the last instant before this one. */
export const justBefore = (at: string): string => fromMicros((toMicros(at) ?? 0n) - 1n);

/** Converts any text with a date, a time and an offset to an instant of UTC; undefined for another text. */
export function readMoment(text: string): string | undefined {
  if (toMicros(text) !== undefined) return text;
  const ms = Date.parse(text);
  return Number.isNaN(ms) ? undefined : fromMicros(BigInt(ms) * MICROS_PER_MS);
}

/** Formats an instant on the clocks of a zone for a field of a form: `2026-03-31T14:05:09`. */
export const localTextOf = (at: string, zone: string): string =>
  new Intl.DateTimeFormat('sv-SE', { dateStyle: 'short', timeStyle: 'medium', timeZone: zone })
    .format(new Date(at))
    .replace(' ', 'T');

/** Returns the instant at which the clocks of a zone show a date and time, the first of two. */
export function fromLocalText(text: string, zone: string): string {
  const shown = Date.parse(`${text}Z`);
  const offsetAt = (ms: number): number =>
    Date.parse(`${localTextOf(new Date(ms).toISOString(), zone)}Z`) - Math.floor(ms / 1_000) * 1_000;
  const first = shown - Math.max(offsetAt(shown - 86_400_000), offsetAt(shown + 86_400_000));
  const ms = shown - offsetAt(first);
  return fromMicros(BigInt(ms) * MICROS_PER_MS);
}

const DAY = /^\d{4}-\d{2}-\d{2}$/;
const DAY_MS = 86_400_000;

/**
 * Returns the midnight of UTC at which a day begins or, with 1, ends. Any other text is an instant already, or no time at
 * all, which the service says.
 */
export function midnightOf(text: string, days: 0 | 1): string {
  const ms = DAY.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(ms) ? text : fromMicros(BigInt(ms + days * DAY_MS) * MICROS_PER_MS);
}
