/** Cases that contradict the specification, each with the sentence it breaks. They are not run. */
export const rejected: Readonly<Record<string, string>> = {
  'target-customer-remove':
    'api-completed.md section 3: "removing the last target is refused, `make_public` says it openly"',
  'update-nulls': 'api-completed.md section 1: "except `end_date` and `metadata` of 4.4 (400 `null`)"',
};
