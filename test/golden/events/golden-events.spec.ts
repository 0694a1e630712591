import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { contentHash } from '../../../src/kernel/canonical-json.js';
import type { RecordedEvent } from '../../../src/kernel/event.js';
import { lift, newestVersion } from '../../../src/kernel/upcasting.js';
import { UPCASTERS } from '../../../src/upcasters.js';
import { accountShapes, numberSeriesShapes } from './billing.js';
import { addonShapes, featureShapes, metricShapes, planShapes } from './catalog.js';
import { customerShapes } from './customer.js';
import { FORMER_SHAPES } from './former-shapes.js';
import { organizationShapes } from './organization.js';
import { subscriptionShapes } from './subscription.js';

const CURRENT: Readonly<Record<string, object>> = {
  ...accountShapes,
  ...numberSeriesShapes,
  ...addonShapes,
  ...featureShapes,
  ...metricShapes,
  ...planShapes,
  ...customerShapes,
  ...organizationShapes,
  ...subscriptionShapes,
};

const file = path.join(import.meta.dirname, 'released.json');
const RELEASED = JSON.parse(readFileSync(file, 'utf8')) as Readonly<Record<string, string>>;

/** `lines[].amount.scale` for each field there is. */
function fieldsOf(value: unknown, at = ''): string[] {
  if (Array.isArray(value)) return [...new Set(value.flatMap((item) => fieldsOf(item, `${at}[]`)))];
  if (value === null || typeof value !== 'object') return [at];
  return Object.entries(value).flatMap(([key, inner]) => fieldsOf(inner, `${at}.${key}`));
}

describe('the stored events', () => {
  it('have the shapes they were released with: another shape is a version with an upcaster, the former one stays', () => {
    const shapes = [
      ...Object.entries(CURRENT).map(([type, data]) => [`${type} ${newestVersion(UPCASTERS, type)}`, data]),
      ...FORMER_SHAPES.map(({ type, version, data }) => [`${type} ${version}`, data]),
    ] as [string, object][];
    expect(Object.fromEntries(shapes.map(([name, data]) => [name, contentHash(data)]))).toEqual(RELEASED);
  });

  it('of former versions are each lifted to the fields of today', () => {
    for (const [type, steps] of Object.entries(UPCASTERS)) {
      const former = FORMER_SHAPES.filter((shape) => shape.type === type);
      expect([type, former.map(({ version }) => version)]).toEqual([
        type,
        steps.map((_, place) => place + 1),
      ]);
      for (const { version, data } of former) {
        const event = { type, data, metadata: { schemaVersion: version } } as unknown as RecordedEvent;
        expect(fieldsOf(lift(UPCASTERS, event).data).sort()).toEqual(fieldsOf(CURRENT[type]).sort());
      }
    }
  });
});
