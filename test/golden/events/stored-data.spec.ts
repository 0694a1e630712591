import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from '@jest/globals';
import { contentHash } from '../../../src/kernel/canonical-json.js';
import { PRICING_POLICY } from '../../../src/pricing/pricing-policy.js';
import { MIGRATIONS } from '../../../src/migrations.js';

const released: unknown = JSON.parse(readFileSync(path.join(import.meta.dirname, 'released.json'), 'utf8'));

/**
 * A build refuses a database with migrations that it does not know. So a build that stores events of new types or
 * versions, or computes by a new policy, has a migration of its own, although no table changes.
 */
it('new shapes of events and new policies are marked by a migration, so that older builds refuse them', () => {
  const mark = `stored-data-${contentHash({ released, policy: PRICING_POLICY }).slice(0, 12)}`;
  const marks = MIGRATIONS.filter(({ name }) => name.startsWith('stored-data-'));
  expect(marks.at(-1)).toEqual({ name: mark, sql: 'select 1' });
});
