import type { MetricDefinition } from '../../pricing/price-content.js';
import type { Period } from '../../kernel/period.js';
import { toMicros, type Instant } from '../../kernel/instant.js';
import { add, parts, ratio, ZERO, type Quantity } from '../../kernel/quantity.js';
import { distribute, segmentsOf, type Segment, type UsageBasis } from './granularity.js';

/**
 * A level as a step function over a window (docs/billing.md#gauges). Readings come in the order of time, and of ids where
 * the time is the same: then what counts is the level after all of them, so that the order of deltas does not matter.
 * Without proration its quantity is the peak of the window. With it, Σ over buckets of (peak in the bucket × bucket
 * length) ÷ granularity length: an event at a bucket's first instant belongs to it, so that the level before is no part
 * of that bucket; after a bucket its last value carries on.
 *
 * Levels and times are whole numbers until the last division, as a fraction for each event costs ten times as much.
 */
export class Gauge {
  private readonly window: Segment;
  private readonly bucketAt: (micros: bigint) => Segment;
  private readonly distribute: (part: Segment, take: (micros: bigint, length: bigint) => void) => void;
  private readonly moves: boolean;
  /** Levels are multiples of 1 ÷ it: a common denominator of all of them so far. */
  private denominator = 1n;
  private level: bigint;
  /** Σ of level × microseconds, by the length of the stretch that they are a share of. */
  private readonly areas = new Map<bigint, bigint>();
  /** Everything before it is in the areas. */
  private measured: bigint;
  private bucket: (Segment & { readonly peak: bigint }) | undefined;
  /** Reading of the latest instant: not weighed yet, as another may come at that instant. */
  private reading: { readonly at: Instant; readonly level: bigint } | undefined;

  /** @param level at the window's start, carried in from before it */
  constructor(
    { eventType, granularity, proration }: MetricDefinition,
    window: Period,
    level: Quantity,
    basis: UsageBasis | undefined,
  ) {
    this.moves = eventType === 'delta';
    const { start, end } = (this.window = { start: toMicros(window.start), end: toMicros(window.end) });
    this.measured = start;
    this.level = 0n;
    this.level = this.levelOf(level);
    if (proration === null) {
      this.bucketAt = () => this.window;
      this.distribute = (part, take) => take(part.end - part.start, end - start);
      return;
    }
    if (granularity === null) throw new RangeError('a gauge that is prorated needs a granularity');
    const buckets = segmentsOf(proration, basis);
    const segments = segmentsOf(granularity, basis);
    // Where an hour of UTC reaches over a local midnight each day has its own part of it.
    this.bucketAt = (micros) => intersect(intersect(buckets(micros), segments(micros)), this.window);
    this.distribute = (part, take) => distribute(part, granularity, segments, take);
  }

  /** @param value null where it is absent: the level stays. @param at inside the window, never before the last */
  read(at: Instant, value: Quantity | null): void {
    if (value === null) return;
    if (this.reading && this.reading.at !== at) this.weigh();
    const sent = this.levelOf(value);
    const before = this.reading?.level ?? this.level;
    this.reading = { at, level: this.moves ? before + sent : sent };
  }

  /** Only once, after the last reading. */
  quantity(): Quantity {
    this.weigh();
    this.closeBucket();
    this.hold(this.window.end);
    let sum = ZERO;
    for (const [length, area] of this.areas) sum = add(sum, ratio(area, length * this.denominator));
    return sum;
  }

  private weigh(): void {
    if (!this.reading) return;
    const { at, level } = this.reading;
    const micros = toMicros(at);
    if (this.bucket && micros < this.bucket.end) {
      if (level > this.bucket.peak) this.bucket = { ...this.bucket, peak: level };
    } else {
      this.closeBucket();
      const { start, end } = this.bucketAt(micros);
      this.hold(start);
      this.bucket = { start, end, peak: micros === start || level > this.level ? level : this.level };
    }
    this.level = level;
    this.reading = undefined;
  }

  private closeBucket(): void {
    if (!this.bucket) return;
    this.cover(this.bucket, this.bucket.peak);
    this.measured = this.bucket.end;
    this.bucket = undefined;
  }

  /** Nothing happened up to there: every bucket's peak is the level. */
  private hold(until: bigint): void {
    if (this.measured >= until) return;
    this.cover({ start: this.measured, end: until }, this.level);
    this.measured = until;
  }

  private cover(part: Segment, level: bigint): void {
    if (level === 0n || part.start >= part.end) return;
    this.distribute(part, (micros, length) => {
      this.areas.set(length, (this.areas.get(length) ?? 0n) + level * micros);
    });
  }

  /** The numerator of a value over the common denominator, which grows where it has to. */
  private levelOf(value: Quantity): bigint {
    const { n, d } = parts(value);
    if (this.denominator % d !== 0n) this.refine(parts(ratio(this.denominator, d)).d);
    return n * (this.denominator / d);
  }

  private refine(times: bigint): void {
    this.denominator *= times;
    this.level *= times;
    for (const [length, area] of this.areas) this.areas.set(length, area * times);
    if (this.bucket) this.bucket = { ...this.bucket, peak: this.bucket.peak * times };
    if (this.reading) this.reading = { ...this.reading, level: this.reading.level * times };
  }
}

function intersect(a: Segment, b: Segment): Segment {
  return { start: a.start > b.start ? a.start : b.start, end: a.end < b.end ? a.end : b.end };
}
