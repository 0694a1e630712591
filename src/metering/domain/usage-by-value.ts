import type { UsageQuestion } from './counter.js';

/** Limit of values that are shown one by one; the others are counted together. */
export const MAX_VALUES = 50;

/** Counts by the values of a property, and of what has none of them. */
export interface UsageByValue<Count> {
  readonly each: readonly { readonly value: string; readonly count: Count }[];
  readonly rest: Count;
}

/**
 * Divides a question by the values of a property, in the way that filters compare them: one question per value, and one
 * for events without any of them. Each is counted as the whole is.
 */
export function valueQuestions(question: UsageQuestion, property: string, values: readonly string[]) {
  const withFilter = (operator: 'isin' | 'isnotin', comparisonValue: readonly string[]): UsageQuestion => ({
    ...question,
    definition: {
      ...question.definition,
      categoricalFilters: [
        ...question.definition.categoricalFilters,
        { propertyName: property, operator, comparisonValue },
      ],
    },
  });
  return {
    each: values.map((value) => ({ value, question: withFilter('isin', [value]) })),
    rest: withFilter('isnotin', values),
  };
}
