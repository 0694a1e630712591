import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { ChangeSettings } from '../../actions/change-settings.js';
import { nowQuery } from '../../api/now.js';
import { organizationQuery } from '../../api/organization.js';
import { sessionQuery } from '../../api/session.js';
import { EmptyState } from '../../shared/empty-state.js';
import { Page, Section } from '../../shared/page.js';
import { QueryView } from '../../shared/query-view.js';
import { ApiKeys } from './api-keys.js';
import { ManualClock } from './manual-clock.js';
import { ParkedWorkList } from './parked-work-list.js';
import { ReadModels } from './read-models.js';
import { Readiness } from './readiness.js';
import { Settings } from './settings.js';
import { Webhooks } from './webhooks.js';

export function OperationPage() {
  const session = useQuery(sessionQuery);
  const now = useQuery(nowQuery);
  const organization = useQuery(organizationQuery);
  const isAdmin = session.data?.scope === 'admin';
  return (
    <Page title="Operations" actions={<Link to="/audit">Audit log</Link>}>
      <Section title="Service">
        <Readiness />
      </Section>
      <ReadModels />
      <ParkedWorkList isAdmin={isAdmin} />
      {now.data && <ManualClock now={now.data} zone={organization.data?.timezone} isAdmin={isAdmin} />}
      {isAdmin ? (
        <>
          <Webhooks />
          <ApiKeys />
        </>
      ) : (
        <Section title="Webhooks and API keys">
          <EmptyState title="Only for admin keys">
            To see webhooks and API keys, log in with a key of the admin scope.
          </EmptyState>
        </Section>
      )}
      <Section
        title="Settings"
        actions={organization.data && <ChangeSettings organization={organization.data} />}
      >
        <QueryView query={organization}>{(data) => <Settings organization={data} />}</QueryView>
      </Section>
    </Page>
  );
}
