import type { Organization } from '../../../../clients/typescript/src/index.js';
import { addressText } from '../../shared/address.js';
import styles from './settings.module.css';

/** Settings that amounts and documents depend on. */
export function Settings({ organization }: { readonly organization: Organization }) {
  const entries: readonly (readonly [string, string])[] = [
    ['Name', organization.organization_name],
    ['Legal name', organization.legal_name ?? 'same as the name'],
    ['Address', addressText(organization.address) || 'none'],
    ['E-mail', organization.email ?? 'none'],
    ['Phone', organization.phone ?? 'none'],
    ['Tax numbers', organization.tax_ids.map(({ value }) => value).join(', ') || 'none'],
    ['Default currency', organization.default_currency_code ?? 'none'],
    ['Tax rate', organization.tax_rate === null ? 'none' : `${organization.tax_rate} %`],
    ['Invoice language', organization.invoice_locale ?? 'English'],
    ['Payment terms', organization.payment_terms ?? 'none'],
    ['Bank account (IBAN)', organization.payment_details?.iban ?? 'none'],
    ['Invoice footer', organization.invoice_footer ?? 'none'],
    [
      'Logo',
      organization.logo === null ? 'none' : `${organization.logo.width} × ${organization.logo.height} pixels`,
    ],
    ['Time zone', organization.timezone],
    ['Late events are accepted for', `${organization.late_event_grace_minutes} minutes`],
    ['Feature access', `${organization.feature_access_policy} of the subscriptions`],
    ['Proration', `by the ${organization.proration_basis}`],
    [
      'Due date',
      organization.payment_grace_period === null
        ? 'none'
        : `${organization.payment_grace_period} days after issue`,
    ],
    ['Subscription filters', organization.subscription_filter_keys.join(', ') || 'any'],
  ];
  return (
    <>
      <dl className={styles.settings}>
        {entries.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </>
  );
}
