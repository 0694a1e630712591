import type { ChangeSettingsBody, Organization } from '../../../clients/typescript/src/index.js';
import { numberOf } from '../shared/number-of.js';
import type { CreateField, Typed } from './create.js';

/** Settings that the form changes, in the order of the page. */
export const SETTINGS: readonly CreateField[] = [
  { name: 'organization_name', label: 'Name', isRequired: true },
  { name: 'legal_name', label: 'Legal name', hint: 'As it stands on invoices. Empty: the name.' },
  { name: 'address.line1', label: 'Street' },
  { name: 'address.line2', label: 'Street, second line' },
  { name: 'address.postal_code', label: 'Postal code' },
  { name: 'address.city', label: 'City' },
  { name: 'address.state', label: 'State' },
  { name: 'address.country', label: 'Country', hint: 'Two letters, such as DE.' },
  { name: 'email', label: 'E-mail' },
  { name: 'phone', label: 'Telephone' },
  { name: 'tax_ids', label: 'Tax numbers', hint: 'Such as vat DE123456789, tax_number 12/345/67890.' },
  { name: 'default_currency_code', label: 'Default currency' },
  { name: 'tax_rate', label: 'Tax rate in percent', hint: 'Empty: none.', isNumber: true },
  { name: 'invoice_locale', label: 'Language of invoices', hint: 'Such as de-AT. Empty: English.' },
  { name: 'payment_terms', label: 'Terms of payment' },
  { name: 'payment_details.account_holder', label: 'Account holder' },
  { name: 'payment_details.iban', label: 'IBAN' },
  { name: 'payment_details.bic', label: 'BIC' },
  { name: 'payment_details.text', label: 'Other ways to pay' },
  { name: 'invoice_footer', label: 'Foot of invoices' },
  { name: 'timezone', label: 'Time zone', hint: 'Such as Europe/Berlin.' },
  { name: 'late_event_grace_minutes', label: 'Minutes in which late events are counted', isNumber: true },
  { name: 'payment_grace_period', label: 'Days to pay', hint: 'Empty: no set time.', isNumber: true },
  {
    name: 'feature_access_policy',
    label: 'A feature is granted by',
    options: { any: 'any of the subscriptions', all: 'all of the subscriptions' },
  },
  {
    name: 'proration_basis',
    label: 'Proration',
    options: { second: 'by exact time', day: 'by days: a started day counts whole' },
  },
  {
    name: 'subscription_filter_keys',
    label: 'Subscription filters',
    hint: 'Properties, with commas between. Empty: any.',
  },
];

const valueAt = (from: unknown, path: string): unknown =>
  path.split('.').reduce<unknown>((value, part) => (value as Record<string, unknown> | null)?.[part], from);

/** Returns the settings as text, by the names of the fields. */
export function typedSettings(organization: Organization): Typed {
  const texts = SETTINGS.map(({ name }) => [name, String(valueAt(organization, name) ?? '')]);
  return {
    ...Object.fromEntries(texts),
    tax_ids: organization.tax_ids.map(({ type, value }) => `${type} ${value}`).join(', '),
    subscription_filter_keys: organization.subscription_filter_keys.join(', '),
  };
}

const listOf = (text: string): string[] =>
  text
    .split(',')
    .map((part) => part.trim())
    .filter(Boolean);

function valueOf({ name, isNumber = false }: CreateField, text: string): unknown {
  if (name === 'subscription_filter_keys') return listOf(text);
  if (name === 'tax_ids')
    return listOf(text).map((part) => {
      const [type = '', ...value] = part.split(' ');
      return { type, value: value.join(' ') };
    });
  if (text.trim() === '') return null;
  return isNumber ? numberOf(text) : text.trim();
}

export const changedSettings = (before: Typed, typed: Typed): readonly CreateField[] =>
  SETTINGS.filter(({ name }) => (before[name] ?? '').trim() !== (typed[name] ?? '').trim());

/** Returns the body of a change. A setting of several parts, such as the address, is sent whole. */
export function settingsBody(changed: readonly CreateField[], typed: Typed): ChangeSettingsBody {
  const settings = new Set(changed.map(({ name }) => name.split('.')[0]!));
  const body: Record<string, unknown> = {};
  for (const field of SETTINGS) {
    const [setting = '', part] = field.name.split('.');
    if (!settings.has(setting)) continue;
    const value = valueOf(field, typed[field.name] ?? '');
    if (part === undefined) body[setting] = value;
    else body[setting] = { ...(body[setting] as object | undefined), [part]: value };
  }
  return body;
}
