import type { MetricDefinition } from '../../pricing/price-content.js';
import type { Period } from '../../kernel/period.js';
import { toMicros, type Instant } from '../../kernel/instant.js';
import { add, parts, ratio, ZERO, type Quantity } from '../../kernel/quantity.js';
import type { GaugeRuns } from './gauge-runs.js';
import { distribute, segmentsOf, type Segment, type UsageBasis } from './granularity.js';

/**
 * Quantity of a gauge over a window (docs/billing.md#gauges): the level is a step function. Readings come in the order
 * of time, then of ids; of one instant only the last level counts, so the order of deltas does not matter. Without
 * proration the quantity is the peak. With it, it is Σ over buckets of (peak in the bucket × bucket length) ÷
 * granularity length. An event at the first instant of a bucket belongs to it, so the level before does not count
 * there; the last level of a bucket carries over. Levels and times are whole numbers until the last division, because a
 * fraction per event costs ten times as much.
 */
export class Gauge {
  private readonly window: Segment;
  private readonly bucketAt: (micros: bigint) => Segment;
  private readonly distribute: (part: Segment, take: (micros: bigint, length: bigint) => void) => void;
  private readonly moves: boolean;
  /** Common denominator of all levels so far; levels are multiples of 1 ÷ `denominator`. */
  private denominator = 1n;
  private level: bigint;
  /** Σ of level × microseconds, by the length of the granularity segment that they belong to. */
  private readonly areas = new Map<bigint, bigint>();
  /** Time up to which `areas` is complete. */
  private measured: bigint;
  private bucket: (Segment & { readonly peak: bigint; readonly peakAt: bigint }) | undefined;
  /** Reading of the latest instant. It is not in `areas` yet, as another one of that instant may replace it. */
  private reading: { readonly at: Instant; readonly level: bigint } | undefined;

  /**
   * @param level at the window's start, carried in from before it
   * @param runs takes the parts that the quantity is the sum of
   */
  constructor(
    { eventType, granularity, proration }: MetricDefinition,
    window: Period,
    level: Quantity,
    basis: UsageBasis | undefined,
    private readonly runs?: GaugeRuns,
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
    // An hour of UTC that crosses a local midnight has a part in each day.
    this.bucketAt = (micros) => intersect(intersect(buckets(micros), segments(micros)), this.window);
    this.distribute = (part, take) => distribute(part, granularity, segments, take);
  }

  /** @param value null where it is absent: the level stays. @param at inside the window, never before the last */
  read(at: Instant, value: Quantity | null): void {
    if (value === null) return;
    if (this.reading && this.reading.at !== at) this.applyReading();
    const sent = this.levelOf(value);
    const before = this.reading?.level ?? this.level;
    this.reading = { at, level: this.moves ? before + sent : sent };
  }

  /** Ends the gauge after the last reading; call it once. */
  quantity(): Quantity {
    this.applyReading();
    this.closeBucket();
    this.hold(this.window.end);
    let sum = ZERO;
    for (const [length, area] of this.areas) sum = add(sum, ratio(area, length * this.denominator));
    return sum;
  }

  private applyReading(): void {
    if (!this.reading) return;
    const { at, level } = this.reading;
    const micros = toMicros(at);
    if (this.bucket && micros < this.bucket.end) {
      if (level > this.bucket.peak) this.bucket = { ...this.bucket, peak: level, peakAt: micros };
    } else {
      this.closeBucket();
      const { start, end } = this.bucketAt(micros);
      this.hold(start);
      const isHigher = micros === start || level > this.level;
      this.bucket = isHigher
        ? { start, end, peak: level, peakAt: micros }
        : { start, end, peak: this.level, peakAt: start };
    }
    this.level = level;
    this.reading = undefined;
  }

  private closeBucket(): void {
    if (!this.bucket) return;
    this.cover(this.bucket, this.bucket.peak, this.bucket.peakAt);
    this.measured = this.bucket.end;
    this.bucket = undefined;
  }

  /** No reading came up to there: the peak of every bucket is the level. */
  private hold(until: bigint): void {
    if (this.measured >= until) return;
    this.cover({ start: this.measured, end: until }, this.level, this.measured);
    this.measured = until;
  }

  private cover(part: Segment, level: bigint, peakAt: bigint): void {
    if (level === 0n || part.start >= part.end) return;
    let { start } = part;
    this.distribute(part, (micros, length) => {
      this.areas.set(length, (this.areas.get(length) ?? 0n) + level * micros);
      this.runs?.add({ start, end: start + micros, peak: ratio(level, this.denominator), length, peakAt });
      start += micros;
    });
  }

  /** Returns the numerator of a value over the common denominator, which grows if needed. */
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
