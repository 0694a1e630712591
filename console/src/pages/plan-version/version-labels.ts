/** Labels of the fields of a version by their names in the API; those with a number name an entry of a list. */
const LABELS: Readonly<Record<string, string>> = {
  plan_name: 'Name',
  plan_duration: 'Period',
  plan_description: 'Description',
  currency_code: 'Currency',
  localized_name: 'Name',
  target_customer_ids: 'Only for customers',
  make_active: 'On sale',
  make_active_type: 'On sale',
  features: 'Features',
  price_adjustment: 'Price adjustment',
  price_adjustment_amount: 'Amount',
  recurring_charges: 'Charge',
  components: 'Usage price',
  name: 'Name',
  amount: 'Amount',
  charge_timing: 'Invoiced',
  charge_behavior: 'Partial periods',
  metric_id: 'Metric',
  bulk_pricing_enabled: 'Tier pricing',
  prepaid_charge: 'Charged',
  units: 'Prepaid units',
  tiers: 'Tier',
  range_start: 'From',
  range_end: 'To',
  type: 'Price',
  cost_per_batch: 'Cost',
  metric_units_per_batch: 'Units per batch',
  batch_rounding_type: 'Partial batches',
};

/**
 * Names the field of an error as the form does: `Usage price 1, Tier 2, Cost` of
 * `initial_version.components.0.tiers.1.cost_per_batch`.
 */
export function versionLabel(attr: string): string {
  const names: string[] = [];
  for (const part of attr.split('.').filter((one) => one !== 'initial_version')) {
    if (/^\d+$/.test(part)) names.push(`${names.pop() ?? ''} ${Number(part) + 1}`.trim());
    else names.push(LABELS[part] ?? part.replaceAll('_', ' '));
  }
  return names.join(', ');
}
