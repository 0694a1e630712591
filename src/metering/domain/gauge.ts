import type { MetricDefinition } from '../../pricing/price-content.js';
import { intersect, type Period } from '../../kernel/period.js';
import type { Instant } from '../../kernel/instant.js';
import { add, maxQuantity, multiply, ONE, ZERO, type Quantity } from '../../kernel/quantity.js';
import { gridOf, stretchesIn, type UsageBasis } from './granularity.js';

/**
 * A level as a step function over a window (docs/billing.md#gauges). Readings come in the order of time, and of ids where
 * the time is the same: then what counts is the level after all of them, so that the order of deltas does not matter.
 * Without proration its quantity is the peak of the window. With it, Σ over buckets of (peak in the bucket × bucket
 * length) ÷ granularity length: an event at a bucket's first instant belongs to it, so that the level before is no part
 * of that bucket; after a bucket its last value carries on.
 */
export class Gauge {
  private readonly bucketAt: (at: Instant) => Period;
  private readonly weightOf: (part: Period) => Quantity;
  private readonly moves: boolean;
  private sum: Quantity = ZERO;
  /** Everything before it is in the sum. */
  private measured: Instant;
  private bucket: (Period & { readonly peak: Quantity }) | undefined;
  /** Reading of the latest instant: not weighed yet, as another may come at that instant. */
  private reading: { readonly at: Instant; readonly level: Quantity } | undefined;

  /** @param level at the window's start, carried in from before it */
  constructor(
    { eventType, granularity, proration }: MetricDefinition,
    private readonly window: Period,
    private level: Quantity,
    basis: UsageBasis | undefined,
  ) {
    this.moves = eventType === 'delta';
    this.measured = window.start;
    if (proration === null) {
      this.bucketAt = () => window;
      this.weightOf = ({ start, end }) => (start < end ? ONE : ZERO);
      return;
    }
    if (granularity === null) throw new RangeError('a gauge that is prorated needs a granularity');
    const buckets = gridOf(proration, basis);
    const stretches = gridOf(granularity, basis);
    // Where an hour of UTC reaches over a local midnight each day has its own part of it.
    this.bucketAt = (at) => intersect(intersect(buckets(at), stretches(at)), window);
    this.weightOf = (part) => stretchesIn(part, granularity, stretches);
  }

  /** @param value null where it is absent: the level stays. @param at inside the window, never before the last */
  read(at: Instant, value: Quantity | null): void {
    if (value === null) return;
    if (this.reading && this.reading.at !== at) this.weigh();
    const before = this.reading?.level ?? this.level;
    this.reading = { at, level: this.moves ? add(before, value) : value };
  }

  /** Only once, after the last reading. */
  quantity(): Quantity {
    this.weigh();
    this.closeBucket();
    this.hold(this.window.end);
    return this.sum;
  }

  private weigh(): void {
    if (!this.reading) return;
    const { at, level } = this.reading;
    if (this.bucket && at < this.bucket.end) {
      this.bucket = { ...this.bucket, peak: maxQuantity(this.bucket.peak, level) };
    } else {
      this.closeBucket();
      const { start, end } = this.bucketAt(at);
      this.hold(start);
      this.bucket = { start, end, peak: at === start ? level : maxQuantity(this.level, level) };
    }
    this.level = level;
    this.reading = undefined;
  }

  private closeBucket(): void {
    if (!this.bucket) return;
    this.sum = add(this.sum, multiply(this.bucket.peak, this.weightOf(this.bucket)));
    this.measured = this.bucket.end;
    this.bucket = undefined;
  }

  /** Nothing happened up to there: every bucket's peak is the level. */
  private hold(until: Instant): void {
    if (this.measured >= until) return;
    const part = { start: this.measured, end: until };
    this.sum = add(this.sum, multiply(this.level, this.weightOf(part)));
    this.measured = until;
  }
}
