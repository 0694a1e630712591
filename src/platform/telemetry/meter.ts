/** Receives measurements of the engine's work. Figures that tables hold are read when the metrics are scraped. */
export interface Meter {
  /** An append to the log ended: as stored, in conflict, or in the error of that name. */
  appended(outcome: string, seconds: number): void;
  /** A batch of a projection was applied, or failed. */
  projected(projection: string, outcome: 'applied' | 'failed', events: number, seconds: number): void;
}

/** Injection token of the process's meter. */
export const METER = Symbol('Meter');

/** For a process that nobody measures. */
export const NO_METER: Meter = { appended: () => undefined, projected: () => undefined };
