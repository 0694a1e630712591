import type { ExplainedLine } from '../../../../clients/typescript/src/index.js';
import { counted } from '../../shared/counted.js';
import type { Column } from '../../shared/data-table.js';
import { formatExact } from '../../shared/exact.js';
import { Instant } from '../../shared/instant.js';
import { WholeTable } from '../../shared/whole-table.js';

type Usage = NonNullable<ExplainedLine['usage']>;
type Gauge = NonNullable<Usage['gauge']>;
type Run = Gauge['runs'][number];

interface QuantityStepsProps {
  readonly usage: Usage;
  readonly zone: string | undefined;
}

/** Shows how a quantity follows from events: of an average, a rate or a gauge. Nothing for another metric. */
export function QuantitySteps({ usage, zone }: QuantityStepsProps) {
  const { average, rate, gauge, quantity } = usage;
  return (
    <>
      {average && (
        <p className="number">
          {formatExact(average.sum)} in {counted(average.values, 'value')}: {formatExact(quantity)} on average
        </p>
      )}
      {rate && (
        <p className="number">
          Highest window: <Instant at={rate.start} zone={zone} /> to <Instant at={rate.end} zone={zone} />,
          both included. {formatExact(rate.total)} in {counted(rate.event_count, 'event')}
          {rate.total !== quantity &&
            `, ${counted(rate.values, 'value')}: ${formatExact(quantity)} on average`}
          . It ends with <code>{rate.idempotency_id}</code>.
        </p>
      )}
      {gauge?.peak_at && (
        <p className="number">
          The level first reached {formatExact(quantity)} at <Instant at={gauge.peak_at} zone={zone} />.
        </p>
      )}
      {gauge && !gauge.peak_at && gauge.runs.length > 0 && (
        <RunTable gauge={gauge} quantity={quantity} zone={zone} />
      )}
    </>
  );
}

interface RunTableProps {
  readonly gauge: Gauge;
  readonly quantity: string;
  readonly zone: string | undefined;
}

/** Table of the runs of equal level, which sum to the quantity. */
function RunTable({ gauge: { runs, further_runs: further }, quantity, zone }: RunTableProps) {
  return (
    <div>
      <WholeTable
        file="levels"
        label="Levels"
        columns={columnsIn(zone)}
        rows={runs}
        rowKey={({ start }) => start}
        empty={null}
        foot={[
          ...(further
            ? [{ name: `${further.runs} further spans`, cells: { quantity: formatExact(further.quantity) } }]
            : []),
          { name: 'Quantity', cells: { quantity: formatExact(quantity) } },
        ]}
        isPlainIfShort
      />
    </div>
  );
}

const columnsIn = (zone: string | undefined): readonly Column<Run>[] => [
  {
    id: 'start',
    header: 'From',
    zone: zone ?? 'UTC',
    cell: ({ start }) => <Instant at={start} zone={zone} withUtc={false} />,
    value: ({ start }) => start,
  },
  {
    id: 'end',
    header: 'To',
    zone: zone ?? 'UTC',
    cell: ({ end }) => <Instant at={end} zone={zone} withUtc={false} />,
    value: ({ end }) => end,
    isMinor: true,
  },
  {
    id: 'peak',
    header: 'Level',
    cell: ({ peak }) => <span className="number">{formatExact(peak)}</span>,
    value: ({ peak }) => peak,
    isUnsorted: true,
    align: 'end',
  },
  {
    id: 'seconds',
    header: 'Seconds',
    cell: ({ seconds, granularity_seconds: whole }) => (
      <span className="number">
        × {formatExact(seconds)} ÷ {formatExact(whole)}
      </span>
    ),
    value: ({ seconds, granularity_seconds: whole }) => `${seconds} / ${whole}`,
    isUnsorted: true,
    align: 'end',
  },
  {
    id: 'quantity',
    header: 'Quantity',
    cell: ({ quantity }) => <span className="number">{formatExact(quantity)}</span>,
    value: ({ quantity }) => quantity,
    isUnsorted: true,
    align: 'end',
  },
];
