import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import type { Plan, PlanVersion } from '../../../../clients/typescript/src/index.js';
import { recount } from '../../api/client.js';
import { Badge } from '../../shared/badge.js';
import { EmptyState } from '../../shared/empty-state.js';
import { Page, Section } from '../../shared/page.js';
import { QueryView } from '../../shared/query-view.js';
import { isNotFound, ResourceNotFound } from '../../shared/resource-not-found.js';
import { Calculator } from './calculator.js';
import { planPrice } from './plan-price.js';
import styles from './plan-page.module.css';
import { VersionPicker } from './version-picker.js';
import { VersionTerms } from './version-terms.js';
import { VersionTimeline } from './version-timeline.js';
import { VersionsTable } from './versions-table.js';

const route = getRouteApi('/plans/$planId');

export function PlanPage() {
  const { planId } = route.useParams();
  const plan = useQuery({
    queryKey: ['plans', 'one', planId],
    queryFn: ({ signal }) => recount.getPlan(planId, { signal }),
  });
  const trail = <Link to="/plans">Plans</Link>;
  if (isNotFound(plan.error)) return <ResourceNotFound kind="plan" id={planId} trail={trail} />;
  return (
    <Page
      title={plan.data?.plan_name ?? 'Plan'}
      trail={trail}
      readModels={['plans', 'subscriptions']}
      beside={
        plan.data && (
          <>
            <Badge tone={plan.data.status === 'active' ? 'good' : 'neutral'}>{plan.data.status}</Badge>
            <PriceBadge plan={plan.data} />
          </>
        )
      }
    >
      <QueryView query={plan}>{(data) => <PlanContent plan={data} />}</QueryView>
    </Page>
  );
}

function PriceBadge({ plan }: { readonly plan: Plan }) {
  const price = planPrice(plan) ?? plan.plan_duration;
  return price === null ? null : <Badge>{price}</Badge>;
}

function PlanContent({ plan }: { readonly plan: Plan }) {
  const { version, with: beside } = route.useSearch();
  const navigate = route.useNavigate();
  const shown = plan.versions.find(({ version_id: id }) => id === version) ?? plan.display_version;
  const other = plan.versions.find(({ version_id: id }) => id === beside && id !== shown.version_id);
  const unknown = [version, beside].filter(
    (asked) => asked !== undefined && !plan.versions.some(({ version_id: id }) => id === asked),
  );
  const isShown = (id: string): boolean => id === shown.version_id || id === other?.version_id;
  return (
    <>
      {plan.plan_description !== null && <p className={styles.description}>{plan.plan_description}</p>}
      <Section
        title="Versions"
        actions={
          <Link
            to="/plans/$planId/versions/new"
            params={{ planId: plan.plan_id }}
            search={{ from: shown.version_id }}
          >
            New version
          </Link>
        }
      >
        <VersionTimeline planId={plan.plan_id} versions={plan.versions} />
        <VersionsTable planId={plan.plan_id} versions={plan.versions} isShown={isShown} />
      </Section>
      <Section
        title={other ? 'Two versions side by side' : 'Prices'}
        actions={
          <VersionPicker
            versions={plan.versions}
            shown={shown}
            other={other}
            onShow={(id) => void navigate({ search: (now) => ({ ...now, version: id }) })}
            onCompare={(id) => void navigate({ search: (now) => ({ ...now, with: id }) })}
          />
        }
      >
        {unknown.map((id) => (
          <p key={id} role="status" className={styles.unknown}>
            The plan has no version <code>{id}</code>, which the address asks for: it is ignored.
          </p>
        ))}
        <div className={other ? styles.pair : undefined}>
          <VersionTerms version={shown} other={other} duration={plan.plan_duration} />
          {other && <VersionTerms version={other} other={shown} duration={plan.plan_duration} />}
        </div>
      </Section>
      <Section title="Calculator">
        <CalculatorOf shown={shown} other={other} />
      </Section>
    </>
  );
}

interface CalculatorOfProps {
  readonly shown: PlanVersion;
  readonly other: PlanVersion | undefined;
}

function CalculatorOf({ shown, other }: CalculatorOfProps) {
  const { metric, quantities } = route.useSearch();
  const navigate = route.useNavigate();
  const component =
    shown.components.find(({ billable_metric: { metric_id: id } }) => id === metric) ?? shown.components[0];
  if (!component) {
    return (
      <EmptyState title="Nothing to calculate">
        This version has no usage prices: it costs the same however much is used.
      </EmptyState>
    );
  }
  const isUnknown = metric !== undefined && component.billable_metric.metric_id !== metric;
  return (
    <>
      {isUnknown && (
        <p role="status" className={styles.unknown}>
          The version does not price <code>{metric}</code>, which the address asks for: it is ignored.
        </p>
      )}
      <Calculator
        key={component.billable_metric.metric_id}
        version={shown}
        other={other}
        component={component}
        quantities={quantities}
        onChange={(change) =>
          void navigate({ search: (now) => ({ ...now, ...change }), replace: true, resetScroll: false })
        }
      />
    </>
  );
}
