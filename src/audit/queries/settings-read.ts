import type { RecordedEvent } from '../../kernel/event.js';

/** Setting that a line was computed with, as its run read it, with the event that set it. */
export interface SettingRead {
  readonly source: 'organization' | 'customer' | 'subscription' | 'plan_version' | 'addon_version';
  readonly setting: string;
  readonly value: unknown;
  readonly event: RecordedEvent;
}

/** Settings of an organization that a run reads for all lines, by wire name. */
const OF_ORGANIZATION = {
  late_event_grace_minutes: 'lateEventGraceMinutes',
  payment_grace_period: 'paymentGraceDays',
} as const;

/** Folds the settings from these events, each with the event that changed it last. */
export const organizationSettings = (events: readonly RecordedEvent[]): SettingRead[] =>
  Object.entries(OF_ORGANIZATION).flatMap(
    ([setting, field]) => organizationSetting(setting, field, events) ?? [],
  );

/** Reads the tax rate that applies: the customer's if set, else the organization's. */
export function taxRateSetting(
  ofOrganization: readonly RecordedEvent[],
  ofCustomer: readonly RecordedEvent[],
): SettingRead | undefined {
  const own = latestSetting('customer', 'tax_rate', ofCustomer, ({ taxRate }) => taxRate);
  return own && own.value !== null ? own : organizationSetting('tax_rate', 'taxRate', ofOrganization);
}

const organizationSetting = (setting: string, field: string, events: readonly RecordedEvent[]) =>
  latestSetting('organization', setting, events, ({ settings, changes }) => (settings ?? changes)?.[field]);

/** Settings of a term, fixed at its start. */
export function termSettings(started: RecordedEvent): SettingRead[] {
  const { term } = started.data as SettingData;
  if (!term) return [];
  const read = (setting: string, value: unknown): SettingRead => ({
    source: 'subscription',
    setting,
    value,
    event: started,
  });
  return [
    read('timezone', term.basis.zone),
    read('proration_basis', term.basis.prorationBasis),
    read('policy', term.basis.policy),
  ];
}

interface SettingData {
  readonly settings?: Readonly<Record<string, unknown>>;
  readonly changes?: Readonly<Record<string, unknown>>;
  readonly taxRate?: unknown;
  readonly term?: { readonly basis: Readonly<Record<'zone' | 'prorationBasis' | 'policy', unknown>> };
}

function latestSetting(
  source: SettingRead['source'],
  setting: string,
  events: readonly RecordedEvent[],
  valueIn: (data: SettingData) => unknown,
): SettingRead | undefined {
  let last: SettingRead | undefined;
  for (const event of events) {
    const value = valueIn(event.data as SettingData);
    if (value !== undefined && (!last || value !== last.value)) last = { source, setting, value, event };
  }
  return last;
}
