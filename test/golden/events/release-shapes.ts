import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { contentHash } from '../../../src/kernel/canonical-json.js';
import { newestVersion, type Upcasters } from '../../../src/kernel/event.js';
import { PRICING_POLICY } from '../../../src/pricing/pricing-policy.js';

const RELEASED = path.join(import.meta.dirname, 'released.json');
const MIGRATIONS = path.resolve(import.meta.dirname, '../../../src/migrations.ts');

/**
 * Adds new shapes to `released.json`, and to `src/migrations.ts` the migration by which older builds refuse a
 * database with them. Released shapes do not change.
 */
export function releaseShapes(current: Readonly<Record<string, object>>, upcasters: Upcasters): void {
  const before = JSON.parse(readFileSync(RELEASED, 'utf8')) as Record<string, string>;
  const shapes = Object.entries(current).map(
    ([type, data]) => [`${type} ${newestVersion(upcasters, type)}`, contentHash(data)] as const,
  );
  const added = shapes.filter(([name]) => !(name in before));
  if (added.length === 0) return;
  const released = Object.fromEntries(
    [...Object.entries(before), ...added].sort(([a], [b]) => (a < b ? -1 : 1)),
  );
  writeFileSync(RELEASED, `${JSON.stringify(released, null, 2)}\n`);
  const mark = `stored-data-${contentHash({ released, policy: PRICING_POLICY }).slice(0, 12)}`;
  const source = readFileSync(MIGRATIONS, 'utf8');
  writeFileSync(MIGRATIONS, source.replace(/\n\];\n$/, `\n  { name: '${mark}', sql: 'select 1' },\n];\n`));
}
