import { spawn, type ChildProcess } from 'node:child_process';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from '@jest/globals';

/** Latency that is allowed whatever it is in calm. */
const FLOOR_MS = 25;
/** Largest ratio of the latency during an attack to that before it. */
const MAX_TIMES = 3;

/** The neighbour's reads: 25 pings and 25 lists a second. */
const PATHS = '/api/ping/ /api/features/';
const EVERY_MS = 20;
/** It creates a customer or sends a usage event once a second. */
const WRITE_EVERY_MS = 1_000;
const WARM_UP_MS = 1_500;
const CALM_MS = 4_000;
const MAX_ATTEMPTS = 3;
const ANSWERED_WITHIN_MS = 65_000;

interface Sample {
  /** Wall time in milliseconds when the request was due. */
  readonly at: number;
  readonly kind: 'read' | 'write';
  readonly ms: number;
  /** 0: no answer. */
  readonly status: number;
}

/** Latencies in milliseconds. */
interface Phase {
  readonly requests: number;
  /** Requests with an answer that is no success, or none. */
  readonly failed: number;
  readonly p50: number;
  readonly p99: number;
  readonly max: number;
  /** Latencies of the writes, which are too few for a 99th percentile; the others are of the reads. */
  readonly writes: { readonly p50: number; readonly max: number };
}

/** The service itself during the attack. */
interface Stalls {
  /** How late its event loop was, in milliseconds. */
  readonly p99: number;
  readonly max: number;
  /** The longest turn of its event loop, in milliseconds of processor time. */
  readonly turn: number;
  /** Seconds of processor time per second. */
  readonly cpu: number;
}

/** The organization that is measured, and where its service tells its own figures. */
interface Measured {
  readonly url: string;
  readonly key: string;
  readonly metricsUrl: string;
  longestTurn(): Promise<number>;
}

interface Latencies {
  readonly before: Phase;
  readonly during: Phase;
  readonly after: Phase;
  readonly stalls: Stalls;
}

/**
 * Measures how long an organization waits before, during and after an attack of another one.
 * @param attack ends by itself; its whole duration is measured
 */
export async function measureNeighbour(
  neighbour: Measured,
  attack: () => Promise<unknown>,
): Promise<Latencies> {
  const samples: Sample[] = [];
  const child = startAsking(neighbour, (sample) => samples.push(sample));
  try {
    await sleep(WARM_UP_MS);
    const begin = Date.now();
    await sleep(CALM_MS);
    const attacked = Date.now();
    const calm = await figuresOf(neighbour);
    await neighbour.longestTurn();
    await attack();
    const over = Date.now();
    const figures = await figuresOf(neighbour);
    const turn = await neighbour.longestTurn();
    await sleep(CALM_MS);
    const end = Date.now();
    const phase = (from: number, to: number): Promise<Phase> => summarize(samples, from, to);
    return {
      before: await phase(begin, attacked),
      during: await phase(attacked, over),
      after: await phase(over, end),
      stalls: {
        p99: inMs(figures('nodejs_eventloop_lag_p99_seconds')),
        max: inMs(figures('nodejs_eventloop_lag_max_seconds')),
        turn,
        cpu: Math.round((100_000 * (figures(CPU_SECONDS) - calm(CPU_SECONDS))) / (over - attacked)) / 100,
      },
    };
  } finally {
    child.stdin!.end();
  }
}

/**
 * Attacks and measures, up to three times while the neighbour waits too long: other work of the machine comes and goes,
 * the attack does the same each time. Prints every try.
 */
export async function expectNeighbourUnharmed(
  neighbour: Measured,
  attack: () => Promise<unknown>,
): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    const latencies = await measureNeighbour(neighbour, attack);
    if (isUnharmed(latencies) || attempt === MAX_ATTEMPTS) {
      expectUnharmed(latencies);
      return;
    }
    process.stdout.write(`try ${attempt}, beyond the bound: ${JSON.stringify(latencies)}\n`);
  }
}

/**
 * Expects a 99th percentile of reads, and a median of writes, of at most three times that before the attack or the floor,
 * and an answer to every request.
 */
export function expectUnharmed(latencies: Latencies): void {
  const { before, during, after } = latencies;
  process.stdout.write(`${JSON.stringify(latencies)}\n`);
  expect({ before: before.failed, during: during.failed, after: after.failed }).toEqual({
    before: 0,
    during: 0,
    after: 0,
  });
  expect(during.p99).toBeLessThanOrEqual(most(before.p99));
  expect(during.writes.p50).toBeLessThanOrEqual(most(before.writes.p50));
}

const most = (before: number): number => Math.max(MAX_TIMES * before, FLOOR_MS);

const isUnharmed = ({ before, during, after }: Latencies): boolean =>
  before.failed + during.failed + after.failed === 0 &&
  during.p99 <= most(before.p99) &&
  during.writes.p50 <= most(before.writes.p50);

const CPU_SECONDS = 'process_cpu_seconds_total';
const inMs = (seconds: number): number => Math.round(seconds * 10_000) / 10;

/** The lateness of the event loop is that since the figures were asked for before. */
async function figuresOf({ metricsUrl }: Measured): Promise<(name: string) => number> {
  const answer = await fetch(metricsUrl);
  const text = await answer.text();
  return (name) => Number(new RegExp(`^${name} (.*)$`, 'm').exec(text)?.[1]);
}

function startAsking(
  { url, key }: { url: string; key: string },
  note: (sample: Sample) => void,
): ChildProcess {
  const root = path.resolve(import.meta.dirname, '../../..');
  const script = path.join(import.meta.dirname, 'neighbour-process.ts');
  const child = spawn(process.execPath, ['--import', path.join(root, 'test/support/ts-loader.mjs'), script], {
    env: {
      PATH: process.env['PATH'],
      URL: url,
      KEY: key,
      PATHS,
      EVERY_MS: String(EVERY_MS),
      WRITE_EVERY_MS: String(WRITE_EVERY_MS),
    },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  createInterface(child.stdout!).on('line', (line) => note(JSON.parse(line) as Sample));
  return child;
}

/** Waits until every request that was due in the phase has its answer. */
async function summarize(samples: readonly Sample[], from: number, to: number): Promise<Phase> {
  const expected = Math.floor((to - from) / EVERY_MS) + Math.floor((to - from) / WRITE_EVERY_MS) - 2;
  const inside = (): Sample[] => samples.filter(({ at }) => at >= from && at < to);
  for (const end = Date.now() + ANSWERED_WITHIN_MS; inside().length < expected && Date.now() < end;)
    await sleep(50);
  const found = inside();
  const [reads, writes] = [latenciesOf(found, 'read'), latenciesOf(found, 'write')];
  return {
    requests: found.length,
    failed:
      found.filter(({ status }) => status < 200 || status > 299).length +
      Math.max(0, expected - found.length),
    p50: reads(0.5),
    p99: reads(0.99),
    max: reads(1),
    writes: { p50: writes(0.5), max: writes(1) },
  };
}

/** Returns the latency that a share of the requests does not exceed. */
function latenciesOf(samples: readonly Sample[], kind: Sample['kind']): (share: number) => number {
  const sorted = samples.flatMap((one) => (one.kind === kind ? [one.ms] : [])).sort((a, b) => a - b);
  return (share) =>
    Math.round(10 * sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))]!) / 10;
}
