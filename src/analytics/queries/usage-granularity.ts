export const USAGE_GRANULARITIES = ['day', 'month'] as const;
export type UsageGranularity = (typeof USAGE_GRANULARITIES)[number];
