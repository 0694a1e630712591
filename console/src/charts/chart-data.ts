import type { LinkProps } from '@tanstack/react-router';

/** Numbers that are stacked in one bar, each series under its name. */
export interface ChartSeries {
  readonly name: string;
  readonly color: string;
}

/** Page on which the records behind a figure are. */
export type ChartLink = Pick<LinkProps, 'to' | 'search'>;

export interface ChartRow {
  /** Label of the bar in the table, such as Mar 2026. */
  readonly label: string;
  /** Short label of the bar on the axis. */
  readonly tick: string;
  readonly link?: ChartLink;
  /** One per series; negative ones are drawn below the axis. */
  readonly values: readonly number[];
}

export interface ChartData {
  readonly series: readonly ChartSeries[];
  readonly rows: readonly ChartRow[];
}

const COLORS = ['--series-1', '--series-2', '--series-3', '--series-4', '--series-5', '--ink-faint'];

/** Names of series with the colors of charts, in this order. */
export const seriesOf = (...names: readonly string[]): ChartSeries[] =>
  names.map((name, index) => ({ name, color: `var(${COLORS[Math.min(index, COLORS.length - 1)]!})` }));
