/**
 * Faults of the service with which it can answer, in sentences that name no data. Readiness shows them and stays
 * green: a load balancer has no reason to turn away from the process.
 */
export class Warnings {
  sentences: readonly string[] = [];
}
