import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { RecountClient } from '../../support/recount-client.js';
import { expectNeighbourUnharmed } from './neighbour.js';
import { sendFor } from './senders.js';
import { startStage, type Stage } from './stage.js';

const KEYS = 150;

let stage: Stage;
let keys: readonly string[];
beforeAll(async () => {
  stage = await startStage();
  const client = new RecountClient(stage.attacker.url, stage.attacker.key);
  const made: string[] = [];
  for (let n = 0; n < KEYS; n += 1) {
    const body = { name: `Key ${n}`, scope: 'read' };
    made.push((await client.post<{ key: string }>('/api/api_keys/', body)).key);
  }
  keys = made;
});
afterAll(() => stage.stop());

describe('a neighbour waits no longer while an organization', () => {
  it('sends as much as it can with 150 keys', async () => {
    await expectNeighbourUnharmed(stage.neighbour, async () => {
      const attack = { seconds: 5, senders: KEYS };
      const statuses = await sendFor(stage.attacker.url, attack, (n) => ({
        path: '/api/features/',
        headers: { 'X-API-KEY': keys[n % KEYS]! },
      }));
      process.stdout.write(`answers of the attack ${JSON.stringify(statuses)}\n`);
      for (const status of Object.keys(statuses)) expect(['200', '429']).toContain(status);
    });
  });
});
