import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { PlanVersion } from '../../../../clients/typescript/src/index.js';
import { Amount, formatQuantity } from '../../shared/amount.js';
import { Badge, type Tone } from '../../shared/badge.js';
import type { Column } from '../../shared/data-table.js';
import { WholeTable } from '../../shared/whole-table.js';
import { EmptyState } from '../../shared/empty-state.js';
import { Instant } from '../../shared/instant.js';
import { Problem } from '../../shared/problem.js';
import { subscribersQuery } from './subscribers.js';
import { versionName } from './version-name.js';

const TONES: Readonly<Record<PlanVersion['status'], Tone>> = {
  active: 'good',
  retiring: 'warn',
  grandfathered: 'info',
  not_started: 'info',
  inactive: 'neutral',
  deleted: 'neutral',
};

interface VersionsTableProps {
  readonly planId: string;
  readonly versions: readonly PlanVersion[];
  readonly isShown: (versionId: string) => boolean;
}

/** Lists versions in the order of their creation, each with the number of its running subscriptions. */
export function VersionsTable({ planId, versions, isShown }: VersionsTableProps) {
  const counts = useQuery(subscribersQuery(planId));
  const columns: readonly Column<PlanVersion>[] = [
    {
      id: 'version',
      header: 'Version',
      cell: (version) =>
        isShown(version.version_id) ? <strong>{versionName(version)}</strong> : versionName(version),
      value: versionName,
    },
    {
      id: 'status',
      header: 'Status',
      cell: ({ status }) => <Badge tone={TONES[status]}>{status.replaceAll('_', ' ')}</Badge>,
      value: ({ status }) => status,
    },
    {
      id: 'from',
      header: 'On sale from',
      zone: 'UTC',
      cell: ({ active_from: at }) => (at === null ? 'not yet' : <Instant at={at} />),
      value: ({ active_from: at }) => at,
      isMinor: true,
    },
    {
      id: 'to',
      header: 'On sale until',
      zone: 'UTC',
      cell: ({ active_to: at }) => (at === null ? '–' : <Instant at={at} />),
      value: ({ active_to: at }) => at,
      isMinor: true,
    },
    {
      id: 'flat',
      header: 'Recurring',
      cell: ({ flat_rate: rate, currency }) => <Amount value={rate} currency={currency.code} />,
      value: ({ flat_rate: rate }) => rate,
      group: ({ currency }) => currency.code,
      exported: () => [
        { header: 'Recurring', value: ({ flat_rate: rate }) => rate },
        { header: 'Currency', value: ({ currency }) => currency.code },
      ],
      align: 'end',
      isMinor: true,
    },
    {
      id: 'subscriptions',
      header: 'Active subscriptions',
      cell: ({ version_id: id }) =>
        counts.data ? (
          <Link to="/subscriptions" search={{ plan_id: planId, status: 'active' }}>
            {formatQuantity(counts.data.get(id)?.count ?? 0)}
            <span className="visually-hidden"> active subscriptions</span>
          </Link>
        ) : (
          '…'
        ),
      value: ({ version_id: id }) => counts.data?.get(id)?.count ?? 0,
      align: 'end',
    },
  ];
  return (
    <>
      {counts.error && <Problem error={counts.error} retry={() => void counts.refetch()} />}
      <WholeTable
        file="versions"
        label="Versions of the plan"
        columns={columns}
        rows={versions}
        rowKey={({ version_id: id }) => id}
        empty={<EmptyState title="No versions" />}
      />
    </>
  );
}
