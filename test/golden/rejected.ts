/** Cases that contradict docs/contract.md, with the sentence they contradict. They are not run. */
export const rejected: Readonly<Record<string, string>> = {
  'target-customer-remove':
    'docs/contract.md#plan-versions: `make_public/` removes the last target, `target_customers/remove/` does not',
  'update-nulls': 'docs/contract.md#update-a-subscription: `end_date` and `metadata` may not be null',
};
