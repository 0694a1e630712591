import { describe, expect, it } from '@jest/globals';
import { defineProjection, type RoutesOf } from '../../projections/events.js';
import { PROJECTIONS } from '../../projections/registry.js';
import type { DomainEvent } from '../../src/kernel/event.js';

const none = () => [];
const definition = { name: 'catalog', version: 1, tables: {} } as const;

/**
 * The type check verifies the expected errors: `npm run check:types` fails on an `@ts-expect-error` without
 * an error below it.
 */
describe('defineProjection', () => {
  it('asks for a handler of each event type that is routed to the projection', () => {
    defineProjection({
      ...definition,
      // @ts-expect-error -- FeatureDefined has no handler
      on: { MetricDefined: none, MetricArchived: none },
    });
    const { on } = defineProjection({
      ...definition,
      on: { MetricDefined: none, MetricArchived: none, FeatureDefined: none },
    });
    expect(Object.keys(on).sort()).toEqual(['FeatureDefined', 'MetricArchived', 'MetricDefined']);
  });

  it('refuses a handler of an event type that is not routed to the projection', () => {
    defineProjection({
      ...definition,
      // @ts-expect-error -- PlanCreated is not routed to it
      on: { MetricDefined: none, MetricArchived: none, FeatureDefined: none, PlanCreated: none },
    });
  });

  it('gives each handler its own event', () => {
    defineProjection({
      ...definition,
      on: {
        // @ts-expect-error -- a MetricDefined has no plan
        MetricDefined: ({ data }) => [data.planId].slice(1) as [],
        MetricArchived: none,
        FeatureDefined: none,
      },
    });
  });

  it('asks for the route of every event type of a category', () => {
    type Coin = DomainEvent<'CoinMinted'> | DomainEvent<'CoinSpent'>;
    const routes: RoutesOf<Coin> = { CoinMinted: [], CoinSpent: ['invoices'] };
    // @ts-expect-error -- CoinSpent has no route
    const missing: RoutesOf<Coin> = { CoinMinted: [] };
    expect([routes, missing]).toHaveLength(2);
  });

  it('reads the categories that have an event type of the projection, and ignores their other types', () => {
    const payments = PROJECTIONS.find(({ name }) => name === 'due-payments')!;
    expect(payments.categories).toEqual(['account']);
    expect(payments.on['InvoicePaid']).toBeInstanceOf(Function);
    expect(payments.on['CreditGranted']).toBe('ignore');
    expect(payments.on['PlanCreated']).toBeUndefined();
  });
});
