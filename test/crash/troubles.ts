import { setTimeout as sleep } from 'node:timers/promises';
import type { EsdbDouble } from '../support/esdb-double/server.js';
import type { PostgresProxy } from '../support/postgres-proxy.js';

/** Disturbs a store. The disturbance is over when the promise resolves. */
export type Trouble = () => Promise<void>;

const OUTAGE_MS = 400;
const SLOW_MS = 250;

export const postgresTroubles = (proxy: PostgresProxy): Readonly<Record<string, Trouble>> => ({
  'an append is lost': async () => void (proxy.fault = 'lose the append'),
  'an append is stored and its answer lost': async () => void (proxy.fault = 'lose its answer'),
  'every connection breaks': async () => proxy.cut(),
  'nothing is answered for a while': async () => {
    proxy.stalled = true;
    await sleep(SLOW_MS);
    proxy.stalled = false;
  },
  'the server is away': async () => {
    proxy.down = true;
    await sleep(OUTAGE_MS);
    proxy.down = false;
  },
});

export const eventStoreTroubles = (
  node: EsdbDouble,
  line: PostgresProxy,
): Readonly<Record<string, Trouble>> => ({
  'every connection breaks': async () => line.cut(),
  'an append is lost': async () => void (node.chaos.failNextAppends = 1),
  'an append is stored and its answer lost': async () => void (node.chaos.loseNextAnswers = 1),
  'subscriptions are dropped, and events come again': async () => {
    node.chaos.redelivered = 7;
    node.dropSubscriptions();
  },
  'appends take long': async () => {
    node.chaos.appendDelay = 60;
    await sleep(SLOW_MS);
    node.chaos.appendDelay = 0;
  },
  'the node is away': async () => {
    node.stop();
    await sleep(OUTAGE_MS);
    await node.start();
  },
});
