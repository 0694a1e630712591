import { randomInt } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import type { Ids } from '../support/api-contract/samples.js';
import { startTestApp } from '../support/app.js';
import {
  addErasable,
  sendReads,
  repeatReads,
  recordAnswers,
  RandomHistory,
  readsOfThePast,
  stopSender,
  withoutPerson,
  type RecordedAnswers,
} from '../support/recorded-answers.js';
import { Random } from '../support/random.js';
import { richTenant } from '../support/rich-tenant.js';
import { shopOf } from '../support/shop.js';

const MOMENTS = 2;
const BEFORE_ALL = '2026-01-01T00:00:00Z';
const COMMANDS = 20;
/** Under `npm run explore` new histories; the name of a test has its seed. */
const SEEDS = (process.env['AS_OF_SEEDS'] ?? ('lawTimes' in globalThis ? newSeeds(3) : '1,2'))
  .split(',')
  .map(Number);

function newSeeds(count: number): string {
  return Array.from({ length: count }, () => randomInt(2 ** 31)).join(',');
}

describe('over random histories', () => {
  it.each(SEEDS)('every answer as of a moment is the one that was kept then (history %i)', async (seed) => {
    const app = await startTestApp({ clockStart: '2026-01-20T00:00:00Z' });
    try {
      await stopSender(app);
      const reads = readsOfThePast(app);
      const ids: Ids = { ...(await richTenant(app, 'past')), event_name: 'past event' };
      await shopOf(app).subscribe(ids['other_customer_id']!, ids['plan_id']!, '2026-01-10');
      await addErasable(app, ids);
      const random = new Random(seed);
      const history = new RandomHistory(app, ids, random);
      const kept: RecordedAnswers[] = [];
      let accepted = 0;
      for (let left = MOMENTS; left > 0; left -= 1) {
        kept.push(await recordAnswers(app, reads, ids, random));
        accepted += await history.go(COMMANDS);
      }
      expect(accepted).toBeGreaterThan(MOMENTS * 5);
      for (const then of kept) {
        const { at, answers } = then;
        for (const [index, answer] of (await repeatReads(app.request, reads, ids, then)).entries())
          expect({ at, ...answer }).toEqual({ at, ...withoutPerson(answers[index]!) });
      }
      // The answers from before the first record contain no id of one.
      const records = Object.values(ids).filter((id) => id.length > 10);
      for (const { operation, status, body } of await sendReads(app.request, reads, ids, BEFORE_ALL)) {
        const shown = status === 200 ? JSON.stringify(body) : '';
        const named = records.filter((id) => shown.includes(id));
        expect([200, 400, 404]).toContain(status);
        expect({ operation, named }).toEqual({ operation, named: [] });
      }
    } finally {
      await app.stop();
    }
  });
});
