import { useQuery } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import { nowQuery } from '../../api/now.js';
import { LOCALE } from '../../shared/locale.js';

/** Ranges by their name in the address; without one the charts have their usual ranges. */
export const RANGES: Readonly<Record<string, string>> = {
  '': 'Default: 12 months, usage by day',
  '30d': 'Last 30 days',
  '90d': 'Last 90 days',
  '12m': 'Last 12 months',
  own: 'Custom dates',
};

const DAYS: Readonly<Record<string, number>> = { '30d': 30, '90d': 90 };
const MS_PER_DAY = 86_400_000;
/** Largest number of days that the API counts one by one. */
const MOST_DAYS = 92;

interface Span {
  readonly range_start?: string;
  /** First day after the range. */
  readonly range_end?: string;
}

/** Parameters of the requests of the charts. */
export interface OverviewRange {
  readonly months: Span;
  readonly usage: Span & { readonly granularity: 'day' | 'month' };
  /** Label of the range. */
  readonly words: string;
  readonly usageWords: string;
}

interface RangeSearch {
  readonly range?: string;
  readonly from?: string;
  readonly to?: string;
}

const dayOf = (ms: number): string => new Date(ms).toISOString().slice(0, 10);
const midnight = (day: string): number => Date.parse(`${day}T00:00:00Z`);
const DAY = /^\d{4}-\d{2}-\d{2}$/;
const isDay = (text: string | undefined): text is string =>
  text !== undefined && DAY.test(text) && !Number.isNaN(midnight(text));
const FORMAT = new Intl.DateTimeFormat(LOCALE, { dateStyle: 'medium', timeZone: 'UTC' });

/** Returns the name of the range of an address: dates alone are custom dates. */
export const rangeNameOf = ({ range, from, to }: RangeSearch): string =>
  range ?? (from === undefined && to === undefined ? '' : 'own');

/** Returns the range of an address that is none of the known ones, and so is ignored. */
export const unknownRangeOf = ({ range }: RangeSearch): string | undefined =>
  range === undefined || range in RANGES ? undefined : range;

/** Describes the error in custom dates; undefined: none. */
export function faultOf(search: RangeSearch): string | undefined {
  const { from, to } = search;
  if (rangeNameOf(search) !== 'own') return undefined;
  if (!isDay(from) || !isDay(to)) return 'Enter both dates.';
  return from > to ? 'The range ends before it starts.' : undefined;
}

export const DEFAULT_RANGE: OverviewRange = {
  months: {},
  usage: { granularity: 'day' },
  words: 'in 12 months',
  usageWords: 'in 31 days',
};

/** @param now present time of the organization */
function rangeOf(search: RangeSearch, now: number): OverviewRange {
  const { from, to } = search;
  const range = rangeNameOf(search);
  const days = DAYS[range];
  if (days !== undefined) {
    const span = { range_start: dayOf(now - (days - 1) * MS_PER_DAY) };
    const words = `in ${days} days`;
    return { months: span, usage: { ...span, granularity: 'day' }, words, usageWords: words };
  }
  if (range === '12m')
    return {
      months: {},
      usage: { granularity: 'month' },
      words: DEFAULT_RANGE.words,
      usageWords: DEFAULT_RANGE.words,
    };
  if (range !== 'own' || !isDay(from) || !isDay(to)) return DEFAULT_RANGE;
  const span = { range_start: from, range_end: dayOf(midnight(to) + MS_PER_DAY) };
  const length = (midnight(span.range_end) - midnight(from)) / MS_PER_DAY;
  const words = `from ${FORMAT.format(midnight(from))} to ${FORMAT.format(midnight(to))}`;
  const granularity = length > MOST_DAYS ? 'month' : 'day';
  return { months: span, usage: { ...span, granularity }, words, usageWords: words };
}

/**
 * Returns the range of the address; undefined while the present time is unknown, and for invalid custom
 * dates.
 */
export function useOverviewRange(): OverviewRange | undefined {
  const search = useSearch({ from: '/' });
  const now = useQuery(nowQuery);
  if (faultOf(search) !== undefined) return undefined;
  const needsNow = DAYS[search.range ?? ''] !== undefined;
  if (needsNow && now.data === undefined) return undefined;
  return rangeOf(search, typeof now.data === 'string' ? Date.parse(now.data) : Date.now());
}

/** Returns the first days of all requested parts, including those without events. */
export function partsOf(
  { granularity, range_start: start, range_end: end }: OverviewRange['usage'],
  now: string,
) {
  const today = now.slice(0, 10);
  const asked = end === undefined ? today : dayOf(midnight(end) - MS_PER_DAY);
  const last = asked < today ? asked : today;
  if (granularity === 'day') {
    const first = midnight(start ?? dayOf(midnight(last) - 30 * MS_PER_DAY));
    const count = Math.max(0, (midnight(last) - first) / MS_PER_DAY + 1);
    return Array.from({ length: count }, (_, index) => dayOf(first + index * MS_PER_DAY));
  }
  const month = (day: string): number => Number(day.slice(0, 4)) * 12 + Number(day.slice(5, 7)) - 1;
  const first = start === undefined ? month(last) - 11 : month(start);
  return Array.from({ length: Math.max(0, month(last) - first + 1) }, (_, index) =>
    dayOf(Date.UTC(Math.floor((first + index) / 12), (first + index) % 12, 1)),
  );
}
