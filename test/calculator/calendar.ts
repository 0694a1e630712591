/** Milliseconds since 1970, as in `Date`. */
export type Ms = number;

export interface Span {
  readonly start: Ms;
  readonly end: Ms;
}

export interface Interval {
  readonly unit: 'day' | 'week' | 'month' | 'year';
  readonly count: number;
}

export const MINUTE = 60_000;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;

export const lengthOf = ({ start, end }: Span): Ms => end - start;
export const isEmpty = ({ start, end }: Span): boolean => start >= end;

/** Time zone offsets are multiples of 15 minutes, so each such quarter lies within one date. */
const QUARTER = 15 * MINUTE;
const zones = new Map<string, { readonly format: Intl.DateTimeFormat; readonly days: Map<number, number> }>();

/** Returns the local date of an instant, in days since 1 January 1970. */
export function localDay(at: Ms, zone: string): number {
  if (zone === 'UTC') return Math.floor(at / DAY);
  const { format, days } = zoneOf(zone);
  const quarter = Math.floor(at / QUARTER);
  let day = days.get(quarter);
  if (day === undefined) {
    const parts = format.formatToParts(quarter * QUARTER);
    const part = (type: string) => Number(parts.find((one) => one.type === type)!.value);
    day = dayOf(part('year'), part('month'), part('day'));
    days.set(quarter, day);
  }
  return day;
}

function zoneOf(zone: string) {
  const known = zones.get(zone);
  if (known) return known;
  const parts = { year: 'numeric', month: 'numeric', day: 'numeric' } as const;
  const format = new Intl.DateTimeFormat('en-US', { timeZone: zone, calendar: 'iso8601', ...parts });
  const found = { format, days: new Map<number, number>() };
  zones.set(zone, found);
  return found;
}

const starts = new Map<string, Ms>();

/** Returns the first instant of a local date: midnight, or the first time after a gap at midnight. */
export function startOfDay(day: number, zone: string): Ms {
  if (zone === 'UTC') return day * DAY;
  const key = `${zone} ${day}`;
  const known = starts.get(key);
  if (known !== undefined) return known;
  // The date begins between these bounds: no zone is further from UTC.
  let [before, after] = [day * DAY - 16 * HOUR, day * DAY + 16 * HOUR];
  while (after - before > QUARTER) {
    const middle = before + Math.floor((after - before) / QUARTER / 2) * QUARTER;
    if (localDay(middle, zone) >= day) after = middle;
    else before = middle;
  }
  starts.set(key, after);
  return after;
}

/** Returns the day number of a date; `month` is 1 to 12. */
const dayOf = (year: number, month: number, day: number): number =>
  Math.round(Date.UTC(year, month - 1, day) / DAY);

/** Returns the months since year 0 and the day of the month of a day number. */
export function monthAndDay(day: number): { readonly month: number; readonly day: number } {
  const date = new Date(day * DAY);
  return { month: date.getUTCFullYear() * 12 + date.getUTCMonth(), day: date.getUTCDate() };
}

/** Returns the day number of a day of a month, clamped to the last day of the month. */
export function dateIn(month: number, day: number): number {
  const [year, monthOfYear] = [Math.floor(month / 12), ((month % 12) + 12) % 12];
  const last = monthAndDay(dayOf(year, monthOfYear + 2, 0)).day;
  return dayOf(year, monthOfYear + 1, Math.min(day, last));
}

/** Dates at equal distances: base + n × interval for any integer n, in months or in days. */
export interface Grid {
  readonly zone: string;
  readonly months: number;
  readonly days: number;
  /** With `months` the month and day of the month of the base, otherwise `day` is its day number. */
  readonly month: number;
  readonly day: number;
}

/** Returns a grid with a date as its base. @param day the intended day of the month when the date was clamped */
export function gridFrom(date: number, { unit, count }: Interval, zone: string, day?: number): Grid {
  const base = monthAndDay(date);
  const months = unit === 'month' ? count : unit === 'year' ? 12 * count : 0;
  if (months === 0)
    return { zone, months: 0, days: unit === 'week' ? 7 * count : count, month: 0, day: date };
  return { zone, months, days: 0, month: base.month, day: day ?? base.day };
}

const dateOf = (grid: Grid, n: number): number =>
  grid.months > 0 ? dateIn(grid.month + n * grid.months, grid.day) : grid.day + n * grid.days;
const instantOf = (grid: Grid, n: number): Ms => startOfDay(dateOf(grid, n), grid.zone);

function indexOf(grid: Grid, at: Ms): number {
  const date = localDay(at, grid.zone);
  const steps =
    grid.months > 0 ? (monthAndDay(date).month - grid.month) / grid.months : (date - grid.day) / grid.days;
  let n = Math.floor(steps) + 1;
  while (instantOf(grid, n) > at) n -= 1;
  return n;
}

/** Returns the stretch between two dates of a grid that contains an instant. */
export function stretchAt(grid: Grid, at: Ms): Span {
  const n = indexOf(grid, at);
  return { start: instantOf(grid, n), end: instantOf(grid, n + 1) };
}

/** Returns the nearer of the boundaries around an instant; the one before it if both are as near. */
export function boundaryBeside(at: Ms, grid: Grid): Ms {
  const { start, end } = stretchAt(grid, at);
  return end - at < at - start ? end : start;
}

/** Returns every date of a grid after `from` and before `to`. */
export function datesBetween(grid: Grid, from: Ms, to: Ms): Ms[] {
  const found: Ms[] = [];
  for (let at = stretchAt(grid, from).end; at < to; at = stretchAt(grid, at).end) found.push(at);
  return found;
}
