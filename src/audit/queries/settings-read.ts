import type { RecordedEvent } from '../../kernel/event.js';

/** Setting that amounts depend on, as a run read it, with the event that set it. */
export interface SettingRead {
  readonly source: 'organization' | 'customer' | 'subscription' | 'plan_version' | 'addon_version';
  readonly setting: string;
  readonly value: unknown;
  readonly event: RecordedEvent;
}

/** Settings of an organization that a run reads, by wire name. */
const OF_ORGANIZATION = {
  tax_rate: 'taxRate',
  late_event_grace_minutes: 'lateEventGraceMinutes',
  payment_grace_period: 'paymentGraceDays',
} as const;

/** Folds the settings from these events, each with the event that changed it last. */
export function organizationSettings(events: readonly RecordedEvent[]): SettingRead[] {
  return Object.entries(OF_ORGANIZATION).flatMap(([setting, field]) =>
    latestSetting('organization', setting, events, ({ settings, changes }) => (settings ?? changes)?.[field]),
  );
}

/** Reads the tax rate of the customer; null when the organization's applies. */
export const customerSettings = (events: readonly RecordedEvent[]): SettingRead[] =>
  latestSetting('customer', 'tax_rate', events, ({ taxRate }) => taxRate);

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
): SettingRead[] {
  let last: SettingRead | undefined;
  for (const event of events) {
    const value = valueIn(event.data as SettingData);
    if (value !== undefined && (!last || value !== last.value)) last = { source, setting, value, event };
  }
  return last ? [last] : [];
}
