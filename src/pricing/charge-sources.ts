import type { PlanComponent, PriceContent, RecurringCharge } from './price-content.js';

/** Source of a charge: a recurring charge, the prepaid units of a component, or its usage. `index` is its place in the plan. */
export type ChargeSource =
  | { readonly kind: 'recurring'; readonly index: number; readonly charge: RecurringCharge }
  | { readonly kind: 'prepaid' | 'usage'; readonly index: number; readonly component: PlanComponent };

/** Cached per price content, which never changes. */
const frozenView = new WeakMap<PriceContent, readonly ChargeSource[]>();

export function sourcesOf(content: PriceContent): readonly ChargeSource[] {
  let sources = frozenView.get(content);
  if (!sources) frozenView.set(content, (sources = readSources(content)));
  return sources;
}

function readSources({ recurringCharges, components }: PriceContent): ChargeSource[] {
  return [
    ...recurringCharges.map((charge, index): ChargeSource => ({ kind: 'recurring', index, charge })),
    ...components.flatMap((component, index): ChargeSource[] => [
      ...(component.prepaid ? [{ kind: 'prepaid' as const, index, component }] : []),
      { kind: 'usage', index, component },
    ]),
  ];
}

export const intervalsOf = (source: ChargeSource) =>
  source.kind === 'recurring' ? source.charge : source.component;

export const inAdvance = (source: ChargeSource): boolean =>
  source.kind === 'prepaid' || (source.kind === 'recurring' && source.charge.timing === 'in_advance');

/** Returns a key that is unique in a version: the content never changes, so an index identifies a charge. */
export const sourceKey = (source: ChargeSource): string =>
  source.kind === 'recurring' ? `charge.${source.index}` : `${source.kind}.${source.component.metricId}`;

/** Name of its lines. */
export function sourceName(source: ChargeSource): string {
  switch (source.kind) {
    case 'recurring':
      return source.charge.name;
    case 'prepaid':
      return `${source.component.metricName} (prepaid)`;
    case 'usage':
      return source.component.metricName;
  }
}
