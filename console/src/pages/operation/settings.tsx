import type { Organization } from '../../../../clients/typescript/src/index.js';
import styles from './settings.module.css';

/** Settings that amounts and documents depend on. */
export function Settings({ organization }: { readonly organization: Organization }) {
  const entries: readonly (readonly [string, string])[] = [
    ['Name', organization.organization_name],
    ['Time zone', organization.timezone],
    ['Late events are counted for', `${organization.late_event_grace_minutes} minutes`],
    ['Feature access', `${organization.feature_access_policy} of the subscriptions`],
    ['Proration', `by the ${organization.proration_basis}`],
    [
      'Payment is due',
      organization.payment_grace_period === null
        ? 'at no set time'
        : `after ${organization.payment_grace_period} days`,
    ],
    ['Subscription filters', organization.subscription_filter_keys.join(', ') || 'any'],
  ];
  return (
    <dl className={styles.settings}>
      {entries.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
