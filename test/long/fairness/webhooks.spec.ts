import { createServer, type RequestListener, type Server } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { listen } from '../../support/listen.js';
import { RecountClient } from '../../support/recount-client.js';
import { expectUnharmed, measureNeighbour } from './neighbour.js';
import { startStage, type Stage, type Tenant } from './stage.js';

/** As many endpoints as an organization may have, with several deliveries each. */
const ENDPOINTS = 20;
const CUSTOMERS = 3;
const SECONDS = 35;
const DELIVERED_WITHIN_MS = 3_000;

let stage: Stage;
const servers: Server[] = [];
beforeAll(async () => {
  stage = await startStage({ ALLOW_PRIVATE_WEBHOOKS: 'true' });
});
afterAll(async () => {
  await stage.stop();
  for (const server of servers) {
    server.closeAllConnections();
    server.close();
  }
});

async function receiver(answer: RequestListener): Promise<string> {
  const server = createServer(answer);
  servers.push(server);
  return `http://127.0.0.1:${await listen(server)}/`;
}

const remove = ({ url, key }: Tenant, id: string): Promise<unknown> =>
  fetch(`${url}/api/webhooks/${id}/`, { method: 'DELETE', headers: { 'X-API-KEY': key } });

const toldOfCustomers = (url: string) => ({
  name: 'x',
  webhook_url: url,
  triggers: ['customer.created'],
});

describe("a neighbour's webhooks are sent at once, and it waits no longer for answers", () => {
  let attacks = 0;
  it.each<[string, RequestListener]>([
    ['answer after 14 s', (_, response) => void setTimeout(() => response.end(), 14_000)],
    ['never answer', () => undefined],
    [
      'send their answer a byte at a time',
      (_, response) => {
        const dripping = setInterval(() => response.write('.'), 500);
        response.on('close', () => clearInterval(dripping));
      },
    ],
  ])('while all endpoints of another organization %s', async (_, answer) => {
    const attack = (attacks += 1);
    const attacker = new RecountClient(stage.attacker.url, stage.attacker.key);
    const neighbour = new RecountClient(stage.neighbour.url, stage.neighbour.key);
    const slow = await receiver(answer);
    const endpoints: string[] = [];
    for (let n = 0; n < ENDPOINTS; n += 1) {
      const body = toldOfCustomers(slow);
      const made = await attacker.post<{ webhook_endpoint_id: string }>('/api/webhooks/', body);
      endpoints.push(made.webhook_endpoint_id);
    }
    await expect(attacker.post('/api/webhooks/', toldOfCustomers(slow))).rejects.toThrow();

    const arrivals: ((at: number) => void)[] = [];
    const quick = await receiver((request, response) => {
      request.resume();
      response.end();
      arrivals.shift()?.(performance.now());
    });
    const own = await neighbour.post<{ webhook_endpoint_id: string }>(
      '/api/webhooks/',
      toldOfCustomers(quick),
    );
    const delays: number[] = [];
    const latencies = await measureNeighbour(stage.neighbour, async () => {
      for (let n = 0; n < CUSTOMERS; n += 1)
        await attacker.post('/api/customers/', { customer_id: `slow-${attack}-${n}` });
      for (const end = performance.now() + SECONDS * 1_000; performance.now() < end;) {
        const began = performance.now();
        const arrived = new Promise<number>((arrive) => arrivals.push(arrive));
        await neighbour.post('/api/customers/', { customer_id: `quick-${attack}-${delays.length}` });
        delays.push((await arrived) - began);
        await sleep(2_000);
      }
    });
    process.stdout.write(`deliveries of the neighbour after ${JSON.stringify(delays.map(Math.round))} ms\n`);
    for (const id of endpoints) await remove(stage.attacker, id);
    await remove(stage.neighbour, own.webhook_endpoint_id);
    expect(Math.max(...delays)).toBeLessThan(DELIVERED_WITHIN_MS);
    expectUnharmed(latencies);
  });
});
