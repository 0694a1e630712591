import { readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from '@jest/globals';

const folder = path.resolve(import.meta.dirname, '../../src/platform');

/** Nouns of the product, which the platform must not contain in identifiers, texts or comments. */
const PRODUCT =
  /customer|invoice|add-?on|coupon|payment|prepa(?:id|yment)|credit|metering|usage|billing|webhook|\btax|feature|\btrack\b|subscription|\bplans?\b|plan_|metric_/i;

/** Allowed uses of these words, with another meaning: file, text, reason. */
const ALLOWED: readonly (readonly [file: RegExp, text: RegExp, why: string])[] = [
  [
    /^config\//,
    /allow_?private_?webhooks?|webhooks may be sent/gi,
    'a process reads its environment in one place',
  ],
  [/^http\/idempotency\/idempotency-keys\.ts$/, /\bcustomer_keys\b/g, 'a column of a released migration'],
  [/^eventsourcing\/store\//, /subscriptions?/gi, 'a subscription to the event log'],
  [
    /^(?:database\/pg-pool|eventsourcing\/store\/postgres\/tables)\.ts$/,
    /\bplans?\b|plan_cache/g,
    'a query plan of PostgreSQL',
  ],
  [/./, /docs\/billing\.md/g, 'the name of a page'],
];

function productWordsOf(file: string, text: string): string[] {
  const rest = ALLOWED.filter(([files]) => files.test(file)).reduce(
    (left, [, allowed]) => left.replace(allowed, ''),
    text,
  );
  return rest
    .split('\n')
    .flatMap((line, index) => (PRODUCT.test(line) ? [`${file}:${index + 1} ${line}`] : []));
}

describe('src/platform', () => {
  it('names nothing of the product: modules register what is theirs', () => {
    const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.ts'))
      .map((name) => name.split(path.sep).join('/'));
    expect(files.length).toBeGreaterThan(100);
    expect(
      files.flatMap((file) => productWordsOf(file, readFileSync(path.join(folder, file), 'utf8'))),
    ).toEqual([]);
  });

  it('is reported when it names something of the product', () => {
    const found = productWordsOf(
      'eventsourcing/claims/claims.ts',
      "type Kind = 'email' | 'plan_name';\n// customer",
    );
    expect(found).toHaveLength(2);
    expect(productWordsOf('http/body/body-parsers.ts', '/api/track/')).toHaveLength(1);
  });
});
