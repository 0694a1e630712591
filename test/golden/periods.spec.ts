import { describe, expect, it } from '@jest/globals';
import { dayNumber, fromMicros, instant, toMicros, type Instant } from '../../src/kernel/instant.js';
import {
  anchorOf,
  intervalOf,
  nextBoundary,
  type Interval,
  type PlanDuration,
} from '../../src/kernel/period.js';
import { localDateOf, localDateText } from '../../src/kernel/zone.js';
import { caseOf, modelsOf, reference, type Model } from './cases.js';

interface TermsModel extends Model {
  readonly kind: 'terms' | 'boundaries';
  readonly plan_duration?: PlanDuration;
  readonly interval_months?: number;
  readonly day_anchor?: number;
  readonly month_anchor?: number;
  readonly timezone: string;
  readonly start_date: string;
  readonly terms_inclusive: readonly (readonly [string, string])[];
  readonly ends_utc_exclusive: readonly string[];
}

interface LengthModel extends Model {
  readonly kind: 'length';
  readonly timezone: string;
  readonly points: readonly { from: string; to: string; days: number; seconds: number }[];
}

/** As a scheduled end is shown: the last microsecond before it. */
const inclusive = (end: Instant): Instant => fromMicros(toMicros(end) - 1n);

describe('golden cases: terms', () => {
  const models = [...modelsOf<TermsModel>('terms'), ...modelsOf<TermsModel>('boundaries')];

  it.each(models)('$id', ({ model }) => {
    const { timezone: zone, day_anchor: day = null, month_anchor: month = null } = model;
    const interval: Interval = model.plan_duration
      ? intervalOf(model.plan_duration)
      : { unit: 'month', count: model.interval_months! };
    let start = instant(model.start_date);
    const anchor = anchorOf(start, zone, interval, day, month);
    const terms: [string, string][] = [];
    const ends: Instant[] = [];
    while (terms.length < model.terms_inclusive.length) {
      const end = nextBoundary(start, zone, interval, anchor);
      terms.push([localDateText(start, zone), localDateText(inclusive(end), zone)]);
      ends.push(end);
      start = end;
    }
    expect(terms).toEqual(model.terms_inclusive);
    expect(ends).toEqual(model.ends_utc_exclusive.map(instant));
  });

  it('are all there', () => expect(models).toHaveLength(6));
});

describe('golden cases: lengths in days', () => {
  it.each(modelsOf<LengthModel>('length'))('$id', ({ model }) => {
    const measured = model.points.map(({ from, to }) => ({
      from,
      to,
      days:
        dayNumber(localDateOf(instant(to), model.timezone)) -
        dayNumber(localDateOf(instant(from), model.timezone)),
      seconds: Number(toMicros(instant(to)) - toMicros(instant(from))) / 1_000_000,
    }));
    expect(measured).toEqual(model.points);
  });
});

describe('golden cases: first periods of the interface', () => {
  /** Values that the cases state in words: the plan's duration and anchors, and the start. */
  const inWords: Record<string, [PlanDuration, number | null, number | null, string]> = {
    'period-monthly': ['monthly', null, null, '2026-01-01T00:00:00Z'],
    'period-monthly-jan31': ['monthly', null, null, '2026-01-31T10:00:00Z'],
    'period-monthly-anchor1': ['monthly', 1, null, '2026-01-15T10:00:00Z'],
    'period-monthly-anchor20': ['monthly', 20, null, '2026-01-15T10:00:00Z'],
    'period-quarterly': ['quarterly', null, null, '2026-01-15T10:00:00Z'],
    'period-quarterly-anchor20': ['quarterly', 20, null, '2026-01-15T10:00:00Z'],
    'period-quarterly-anchor-jan1-feb': ['quarterly', 1, 1, '2026-02-15T10:00:00Z'],
  };

  it.each(Object.entries(inWords))('%s', (id, [duration, day, month, start]) => {
    const interval = intervalOf(duration);
    const anchor = anchorOf(instant(start), 'UTC', interval, day, month);
    const end = nextBoundary(instant(start), 'UTC', interval, anchor);
    expect(inclusive(end)).toBe(caseOf(id).expect!.end_date);
  });

  it('are all restated', () => {
    const ids = reference.filter(({ area }) => area === 'periods').map(({ id }) => id);
    expect(Object.keys(inWords).sort()).toEqual(ids.sort());
  });
});
