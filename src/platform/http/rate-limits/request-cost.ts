import { SetMetadata } from '@nestjs/common';

export const REQUEST_COST = 'recount:request-cost';

/** What a request for little costs, as a rule: a read. */
const READ_COST = 1;
/** A request that changes something: it reads streams, decides and appends. */
const COMMAND_COST = 3;
/** A request that counts usage, or computes what would be billed. */
export const COUNT_COST = 20;
/** Each so many bytes of a body, inflated, cost 1 more: a batch of 1,000 usage events costs some 50. */
const BYTES_PER_COST = 4_096;

/** The cost of a route for the rate limit, where the default (1 to read, 3 to write) is not right. */
export const RequestCost = (cost: number) => SetMetadata(REQUEST_COST, cost);

export const defaultCost = (method: string): number =>
  method === 'GET' || method === 'HEAD' ? READ_COST : COMMAND_COST;

export const costOfBody = (bytes: number): number => Math.floor(bytes / BYTES_PER_COST);

/** A batch of 1,000 usual events takes one place of its organization, a body of 2.5 MB or more all of them. */
const BYTES_PER_PLACE = 512 * 1_024;

/** How many places of its organization's share a request takes while it is worked on (fair-request-limiter.ts). */
export const placesForBody = (bytes: number): number => 1 + Math.floor(bytes / BYTES_PER_PLACE);
