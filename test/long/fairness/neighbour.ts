import { spawn, type ChildProcess } from 'node:child_process';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from '@jest/globals';

/** What a neighbour may wait at the 99th percentile, whatever it waits when all is calm: a busy machine's own noise. */
const FLOOR_MS = 100;
/** How many times as long as in calm a neighbour may wait beside an attack, at the 99th percentile. */
const MOST_TIMES = 3;

/** The neighbour's requests: 25 pings and 25 lists a second. */
const PATHS = '/api/ping/ /api/features/';
const EVERY_MS = 20;
const WARM_UP_MS = 1_500;
const CALM_MS = 4_000;
const MOST_ATTEMPTS = 3;
const ANSWERED_WITHIN_MS = 65_000;

interface Sample {
  /** Wall time in milliseconds when the request was due. */
  readonly at: number;
  readonly ms: number;
  /** 0: no answer. */
  readonly status: number;
}

/** Latencies in milliseconds. */
interface Phase {
  readonly requests: number;
  /** Requests with another answer than 200, or none. */
  readonly failed: number;
  readonly p50: number;
  readonly p99: number;
  readonly max: number;
}

/** The service itself during the attack. */
interface Stalls {
  /** How late its event loop was, in milliseconds. */
  readonly p99: number;
  readonly max: number;
  /** Seconds of processor time per second. */
  readonly cpu: number;
}

/** The organization that is measured, and where its service tells its own figures. */
interface Measured {
  readonly url: string;
  readonly key: string;
  readonly metricsUrl: string;
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
    await attack();
    const over = Date.now();
    const figures = await figuresOf(neighbour);
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
        cpu: Math.round((100_000 * (figures(CPU_SECONDS) - calm(CPU_SECONDS))) / (over - attacked)) / 100,
      },
    };
  } finally {
    child.stdin!.end();
  }
}

/**
 * Attacks and measures, and again where the neighbour waited too long: what else runs on the machine comes and goes,
 * and what the attack does it does every time.
 */
export async function expectNeighbourUnharmed(
  neighbour: Measured,
  attack: () => Promise<unknown>,
): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    const latencies = await measureNeighbour(neighbour, attack);
    if (isUnharmed(latencies) || attempt === MOST_ATTEMPTS) {
      expectUnharmed(latencies);
      return;
    }
    process.stdout.write(`once more: ${JSON.stringify(latencies)}\n`);
  }
}

/** p99 during the attack is at most three times that before, or the floor; and every request got its answer. */
export function expectUnharmed(latencies: Latencies): void {
  const { before, during, after } = latencies;
  process.stdout.write(`${JSON.stringify(latencies)}\n`);
  expect({ before: before.failed, during: during.failed, after: after.failed }).toEqual({
    before: 0,
    during: 0,
    after: 0,
  });
  expect(during.p99).toBeLessThanOrEqual(most(before));
}

const most = (before: Phase): number => Math.max(MOST_TIMES * before.p99, FLOOR_MS);

const isUnharmed = ({ before, during, after }: Latencies): boolean =>
  before.failed + during.failed + after.failed === 0 && during.p99 <= most(before);

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
    env: { PATH: process.env['PATH'], URL: url, KEY: key, PATHS, EVERY_MS: String(EVERY_MS) },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  createInterface(child.stdout!).on('line', (line) => note(JSON.parse(line) as Sample));
  return child;
}

/** Waits until every request that was due in the phase has its answer. */
async function summarize(samples: readonly Sample[], from: number, to: number): Promise<Phase> {
  const expected = Math.floor((to - from) / EVERY_MS) - 1;
  const inside = (): Sample[] => samples.filter(({ at }) => at >= from && at < to);
  for (const end = Date.now() + ANSWERED_WITHIN_MS; inside().length < expected && Date.now() < end;)
    await sleep(50);
  const found = inside();
  const sorted = found.map(({ ms }) => ms).sort((a, b) => a - b);
  const at = (share: number): number =>
    Math.round(10 * sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))]!) / 10;
  return {
    requests: found.length,
    failed: found.filter(({ status }) => status !== 200).length + Math.max(0, expected - found.length),
    p50: at(0.5),
    p99: at(0.99),
    max: at(1),
  };
}
