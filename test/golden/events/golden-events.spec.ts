import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { contentHash } from '../../../src/kernel/canonical-json.js';
import type { DomainEvent } from '../../../src/kernel/event.js';
import type { OrganizationEvent } from '../../../src/organization/domain/events.js';
import { UPCASTERS } from '../../../src/upcasters.js';
import { accountShapes, documentShapes, numberSeriesShapes } from './billing.js';
import { usageAlertShapes } from './alerts.js';
import { addonShapes, featureShapes, metricShapes, planShapes } from './catalog.js';
import { bulkChangeShapes, customerShapes } from './customer.js';
import { FORMER_SHAPES } from './former-shapes.js';
import { organizationShapes } from './organization.js';
import { releaseShapes } from './release-shapes.js';
import { shapeFaults } from './shape-faults.js';
import type { Shapes } from './shapes.js';
import { subscriptionShapes } from './subscription.js';
import { signingKeyShapes } from './transparency.js';
import { webhookShapes } from './webhooks.js';

const CURRENT: Readonly<Record<string, object>> = {
  ...accountShapes,
  ...documentShapes,
  ...numberSeriesShapes,
  ...addonShapes,
  ...featureShapes,
  ...metricShapes,
  ...planShapes,
  ...customerShapes,
  ...bulkChangeShapes,
  ...organizationShapes,
  ...subscriptionShapes,
  ...signingKeyShapes,
  ...usageAlertShapes,
  ...webhookShapes,
};

if (process.env.RELEASE_EVENTS) releaseShapes(CURRENT, UPCASTERS);

const file = path.join(import.meta.dirname, 'released.json');
const RELEASED = JSON.parse(readFileSync(file, 'utf8')) as Readonly<Record<string, string>>;

describe('the stored events', () => {
  it('have the shapes they were released with, and former shapes are lifted to those of today', () => {
    expect(
      shapeFaults({ current: CURRENT, released: RELEASED, former: FORMER_SHAPES, upcasters: UPCASTERS }),
    ).toEqual([]);
  });
});

describe('the build fails', () => {
  const v1 = { amount: 1 };
  const v2 = { amount: 1, currency: 'USD' };
  const release = {
    current: { Paid: v1 },
    released: { 'Paid 1': contentHash(v1) },
    former: [],
    upcasters: {},
  };
  const former = [{ type: 'Paid', version: 1, data: v1 }];
  const released = { ...release.released, 'Paid 2': contentHash(v2) };
  const lifted = { Paid: [(data: object) => ({ ...data, currency: 'USD' })] };
  const second = { current: { Paid: v2 }, released, former, upcasters: lifted };

  it('in none of these where nothing is missing', () => {
    expect([shapeFaults(release), shapeFaults(second)]).toEqual([[], []]);
  });

  it('where a released shape has changed without an upcaster', () => {
    expect(shapeFaults({ ...release, current: { Paid: v2 } })).toEqual([
      'Paid 1 is not the shape that was released',
    ]);
    expect(shapeFaults({ ...second, upcasters: {} })).toContain('Paid 2 was released and is gone');
  });

  it('where a new type was not released with its shape', () => {
    const current = { ...release.current, Refunded: v1 };
    expect(shapeFaults({ ...release, current })).toEqual(['Refunded 1 is not the shape that was released']);
  });

  it('where a former shape was not kept', () => {
    expect(shapeFaults({ ...second, former: [] })).toEqual([
      'Paid 1 was released and is gone',
      'Paid has upcasters from 1, and examples of none',
    ]);
  });

  it('where an upcaster does not lead to the fields of today', () => {
    const upcasters = { Paid: [(data: object) => ({ ...data, currancy: 'USD' })] };
    expect(shapeFaults({ ...second, upcasters })).toEqual([
      'Paid 1 is lifted to .amount, .currancy, and today has .amount, .currency',
    ]);
  });

  it('where a type has no example: it does not compile', () => {
    type New = DomainEvent<'OrganizationMoved', { readonly city: string }>;
    // @ts-expect-error the new type is missing
    const shapes: Shapes<OrganizationEvent | New> = organizationShapes;
    expect(shapes).toBe(organizationShapes);
  });
});
