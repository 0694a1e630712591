import type { UsageQuestion } from './counter.js';

/** Limit of values that are shown one by one; the others are counted together. */
export const MAX_VALUES = 50;

/** Questions by the values of a property, and for events without one of these values. */
export interface UsageByValue<Count> {
  readonly each: readonly { readonly value: string; readonly count: Count }[];
  readonly rest: Count;
}

/**
 * Divides a question by the values of a property, compared as filters compare them: one question per value, and one for
 * all other events.
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
