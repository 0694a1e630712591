import {
  Bar,
  BarChart as Bars,
  CartesianGrid,
  ReferenceLine,
  ResponsiveContainer,
  Tooltip,
  XAxis,
  YAxis,
} from 'recharts';
import { LOCALE } from '../shared/locale.js';
import { compactNumberFormat } from './axis-format.js';
import type { ChartData, ChartRow } from './chart-data.js';
import styles from './chart.module.css';

const HEIGHT = 220;
const NUMBERS = compactNumberFormat(LOCALE);

interface BarChartProps extends ChartData {
  readonly format: (value: number) => string;
  readonly axisFormat: ((value: number) => string) | undefined;
  /** A bar was pressed; the table of the numbers has the same links. */
  readonly onOpen: (row: ChartRow) => void;
}

/** Stacked bars. This file imports the chart library, so load it lazily. */
export function BarChart({ series, rows, format, axisFormat, onOpen }: BarChartProps) {
  const data = rows.map((row) => ({ tick: row.tick, row }));
  return (
    <ResponsiveContainer width="100%" height={HEIGHT} initialDimension={{ width: 320, height: HEIGHT }}>
      <Bars
        data={data}
        stackOffset="sign"
        accessibilityLayer={false}
        margin={{ top: 8, right: 4, bottom: 0, left: 0 }}
      >
        <CartesianGrid vertical={false} stroke="var(--line)" />
        <XAxis
          dataKey="tick"
          tickLine={false}
          axisLine={false}
          tick={{ fill: 'var(--ink-faint)', fontSize: 11 }}
          minTickGap={6}
        />
        <YAxis
          width="auto"
          tickLine={false}
          axisLine={false}
          tick={{ fill: 'var(--ink-faint)', fontSize: 11 }}
          tickFormatter={axisFormat ?? NUMBERS}
        />
        <ReferenceLine y={0} stroke="var(--line-strong)" />
        <Tooltip
          cursor={{ fill: 'var(--ground-hover)' }}
          isAnimationActive={false}
          content={({ active, payload }) => {
            const [first] = payload;
            if (!active || !first) return null;
            const { label, values } = (first.payload as (typeof data)[number]).row;
            return (
              <div className={styles.tooltip}>
                <strong>{label}</strong>
                {series.map(({ name }, index) => (
                  <span key={name}>
                    {name}: {format(values[index]!)}
                  </span>
                ))}
              </div>
            );
          }}
        />
        {series.map(({ name, color }, index) => (
          <Bar
            key={name}
            name={name}
            className={`series-${index}`}
            dataKey={({ row }: (typeof data)[number]) => row.values[index]!}
            stackId="one"
            fill={color}
            maxBarSize={42}
            isAnimationActive={false}
            cursor={rows.some(({ link }) => link) ? 'pointer' : undefined}
            onClick={({ payload }) => onOpen((payload as (typeof data)[number]).row)}
          />
        ))}
      </Bars>
    </ResponsiveContainer>
  );
}
