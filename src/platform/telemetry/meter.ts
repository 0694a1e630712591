/** Receives measurements of the engine's work. Figures in tables are read when the metrics are scraped. */
export interface Meter {
  /** Measures an append. @param outcome `stored`, `conflict`, or the name of an error */
  appended(outcome: string, seconds: number): void;
  /** Measures a batch of a projection. */
  projected(projection: string, outcome: 'applied' | 'failed', events: number, seconds: number): void;
}

/** Injection token of the process's meter. */
export const METER = Symbol('Meter');

/** Meter that ignores all measurements. */
export const NO_METER: Meter = { appended: () => undefined, projected: () => undefined };
