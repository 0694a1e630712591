import type { Uuid } from './ids.js';

/** The kinds of streams there are; the category of a stream name is what stands before its first dash. */
export type StreamCategory =
  | 'organization'
  | 'plan'
  | 'addon'
  | 'metric'
  | 'feature'
  | 'customer'
  | 'subscription'
  | 'bulkchange'
  | 'account'
  | 'numberseries';

/** `{category}-{org}.{id}`: the tenant is in every stream name. */
export const streamName = (category: StreamCategory, org: Uuid, id: string): string =>
  `${category}-${org}.${id}`;

export const categoryOf = (stream: string): string => stream.slice(0, stream.indexOf('-'));

/** The tenant of a stream. */
export const orgOf = (stream: string): Uuid => stream.slice(stream.indexOf('-') + 1, stream.indexOf('.'));

/** The part of a stream's name after the tenant: the id of the plan, the customer key, `{customerKey}.{currency}` … */
export const entityOf = (stream: string): string => stream.slice(stream.indexOf('.') + 1);
