import type { Organization } from '../../../clients/typescript/src/index.js';
import { addressFields, listOf, TAX_IDS, type FormField } from './form-field.js';

type Logo = NonNullable<Organization['logo']>;

/** Settings that the form changes, in the order of the page. */
export const SETTINGS: readonly FormField[] = [
  { name: 'organization_name', label: 'Name', isRequired: true },
  { name: 'legal_name', label: 'Legal name', hint: 'As shown on invoices. Leave empty to use the name.' },
  ...addressFields('address'),
  { name: 'email', label: 'E-mail' },
  { name: 'phone', label: 'Phone' },
  TAX_IDS,
  { name: 'default_currency_code', label: 'Default currency' },
  { name: 'tax_rate', label: 'Tax rate in percent', hint: 'Leave empty for none.', isNumber: true },
  { name: 'invoice_locale', label: 'Invoice language', hint: 'Such as de-AT. Leave empty for English.' },
  { name: 'payment_terms', label: 'Payment terms', isWide: true },
  { name: 'payment_details.account_holder', label: 'Account holder' },
  { name: 'payment_details.iban', label: 'IBAN' },
  { name: 'payment_details.bic', label: 'BIC' },
  { name: 'payment_details.text', label: 'Other ways to pay', isWide: true },
  { name: 'invoice_footer', label: 'Invoice footer', isWide: true },
  {
    name: 'logo',
    label: 'Logo',
    hint: 'On the PDF of invoices: a PNG or JPEG of at most 128 kB and 2,000 pixels a side.',
    imageBytes: 128 * 1024,
    format: ({ width, height }: Logo) => `${width} × ${height} pixels`,
    parse: (data) => (data === '' ? null : { data }),
  },
  { name: 'timezone', label: 'Time zone', hint: 'Such as Europe/Berlin.' },
  { name: 'late_event_grace_minutes', label: 'Minutes that late events are accepted for', isNumber: true },
  {
    name: 'payment_grace_period',
    label: 'Days until due',
    hint: 'Leave empty for no due date.',
    isNumber: true,
  },
  {
    name: 'feature_access_policy',
    label: 'A feature is granted by',
    options: { any: 'any of the subscriptions', all: 'all of the subscriptions' },
  },
  {
    name: 'proration_basis',
    label: 'Proration',
    options: { second: 'by the second', day: 'by the day: a partial day counts as a whole one' },
  },
  {
    name: 'subscription_filter_keys',
    label: 'Subscription filters',
    hint: 'Property names, separated by commas. Leave empty to allow any.',
    format: (keys: readonly string[]) => keys.join(', '),
    parse: listOf,
  },
];
