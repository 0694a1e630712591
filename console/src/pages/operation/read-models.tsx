import { useQuery } from '@tanstack/react-query';
import type { ReadModel } from '../../../../clients/typescript/src/index.js';
import { readModelsQuery } from '../../api/read-models.js';
import { formatQuantity } from '../../shared/amount.js';
import { Badge, type Tone } from '../../shared/badge.js';
import type { Column } from '../../shared/data-table.js';
import { WholeTable } from '../../shared/whole-table.js';
import { EmptyState } from '../../shared/empty-state.js';
import { Instant } from '../../shared/instant.js';
import { Section } from '../../shared/page.js';
import { Problem } from '../../shared/problem.js';

const STATES: Readonly<Record<ReadModel['state'], readonly [word: string, tone: Tone]>> = {
  level: ['up to date', 'good'],
  behind: ['behind', 'warn'],
  stopped: ['stopped', 'bad'],
};

const COLUMNS: readonly Column<ReadModel>[] = [
  { id: 'name', header: 'Read model', cell: ({ name }) => name, value: ({ name }) => name },
  {
    id: 'state',
    header: 'State',
    cell: ({ state }) => <Badge tone={STATES[state][1]}>{STATES[state][0]}</Badge>,
    value: ({ state }) => STATES[state][0],
  },
  {
    id: 'behind',
    header: 'Events behind',
    cell: ({ events_behind: count }) => formatQuantity(count),
    value: ({ events_behind: count }) => count,
    align: 'end',
  },
  {
    id: 'since',
    header: 'Behind since',
    zone: 'UTC',
    cell: ({ behind_since: at }) => (at === null ? '–' : <Instant at={at} />),
    value: ({ behind_since: at }) => at,
    isMinor: true,
  },
  {
    id: 'left',
    header: 'Skipped streams',
    cell: ({ left_out: streams }) =>
      streams.length === 0
        ? '–'
        : streams.map(({ stream, revision, since }) => (
            <div key={stream}>
              <code>
                {stream}/{revision}
              </code>{' '}
              since <Instant at={since} />
            </div>
          )),
    value: ({ left_out: streams }) => streams.map(({ stream }) => stream).join(' '),
    isMinor: true,
  },
];

/** Shows how far each read model is from the log, in events of the organization. */
export function ReadModels() {
  const query = useQuery(readModelsQuery);
  return (
    <Section title="Read models">
      {query.error && <Problem error={query.error} retry={() => void query.refetch()} />}
      <WholeTable
        file="read-models"
        label="Read models and their distance from the log"
        columns={COLUMNS}
        rows={query.data?.read_models}
        rowKey={({ name }) => name}
        empty={<EmptyState title="No read models" />}
      />
    </Section>
  );
}
