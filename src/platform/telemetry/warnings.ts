/** Faults that do not stop the service from answering, in sentences that name no data. Readiness shows them and stays green. */
export class Warnings {
  sentences: readonly string[] = [];
}
