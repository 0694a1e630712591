interface Filtered {
  readonly subscription_filters: readonly { readonly property_name: string; readonly value: string }[];
}

/** Filters that distinguish subscriptions of one plan, such as `region=eu, team=ops`; empty: none. */
export const filtersText = ({ subscription_filters: filters }: Filtered): string =>
  filters.map(({ property_name: name, value }) => `${name}=${value}`).join(', ');

/** Plan with these filters after its name, such as `Team, region=eu`. */
export const nameOfTerm = (
  term: Filtered & { readonly billing_plan: { readonly plan_name: string } },
): string => [term.billing_plan.plan_name, filtersText(term)].filter(Boolean).join(', ');
