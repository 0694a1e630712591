import os from 'node:os';

/** A figure of a benchmark, beside the ceiling measured in the same run. */
export interface Figure {
  readonly name: string;
  /** Conditions of the measurement: sizes, concurrency, durability. */
  readonly settings: string;
  readonly unit: string;
  readonly perSecond: number;
  /** The same work without the engine in the same run, if possible. */
  readonly ceiling?: { readonly name: string; readonly perSecond: number };
  /** Milliseconds of each unit of work. */
  readonly latencies?: readonly number[];
  /** Latencies of the same work without the engine at the same rate, in the same run. */
  readonly bareLatencies?: { readonly name: string; readonly latencies: readonly number[] };
  /** A check of the result, so that a fast wrong answer does not count. */
  readonly check: { readonly what: string; readonly holds: boolean };
}

export function printMachine(): void {
  const cpus = os.cpus();
  const memory = (os.totalmem() / 2 ** 30).toFixed(0);
  console.log(
    `machine: ${cpus.length} × ${cpus[0]?.model.trim()}, ${memory} GiB, ${os.type()} ${os.release()}, Node ${process.version}, load ${os.loadavg()[0]!.toFixed(1)}`,
  );
}

/** Prints a figure. @returns whether its check held */
export function printFigure(figure: Figure): boolean {
  const { name, settings, unit, perSecond, ceiling, latencies, bareLatencies, check } = figure;
  console.log(`\n${name}`);
  console.log(`  settings   ${settings}`);
  console.log(`  measured   ${format(perSecond)} ${unit} a second`);
  if (ceiling) {
    const share = ((perSecond / ceiling.perSecond) * 100).toFixed(0);
    console.log(
      `  ceiling    ${format(ceiling.perSecond)} ${unit} a second: ${ceiling.name}; measured is ${share} %`,
    );
  }
  if (latencies) console.log(`  latency    ${describe(latencies)}`);
  if (bareLatencies) console.log(`  bare       ${describe(bareLatencies.latencies)}: ${bareLatencies.name}`);
  console.log(describeCheck(check));
  return check.holds;
}

/** Returns the figure of a rate under heavy load, with the rate under light load in the same run as its ceiling. */
export const flatness = (what: string, heavy: number, light: number, holds: boolean): Figure => ({
  name: `cost of an invoice with ${what}`,
  settings: `an invoice costs ${(light / heavy).toFixed(2)} times as much`,
  unit: 'invoices',
  perSecond: heavy,
  ceiling: { name: 'without it', perSecond: light },
  check: { what: 'every customer has one invoice a month of the amount that its usage comes to', holds },
});

/** Runs `work` `count` times, at most `atOnce` concurrently. @returns the milliseconds of each and of all */
export async function load(
  count: number,
  atOnce: number,
  work: (index: number) => Promise<unknown>,
): Promise<{ latencies: number[]; perSecond: number }> {
  const latencies: number[] = [];
  let next = 0;
  const worker = async (): Promise<void> => {
    for (let index = next++; index < count; index = next++) {
      const began = performance.now();
      await work(index);
      latencies.push(performance.now() - began);
    }
  };
  const began = performance.now();
  await Promise.all(Array.from({ length: atOnce }, worker));
  return { latencies, perSecond: (count / (performance.now() - began)) * 1000 };
}

export const median = (values: readonly number[]): number =>
  [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)]!;

export const describeCheck = ({ what, holds }: Figure['check']): string =>
  `  check      ${holds ? 'holds' : 'FAILS'}: ${what}`;

const format = (value: number): string => Math.round(value).toLocaleString('en');

function describe(latencies: readonly number[]): string {
  const sorted = [...latencies].sort((a, b) => a - b);
  const at = (share: number): string =>
    sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))]!.toFixed(2);
  return `p50 ${at(0.5)} ms, p95 ${at(0.95)} ms, p99 ${at(0.99)} ms, max ${sorted.at(-1)!.toFixed(2)} ms`;
}
