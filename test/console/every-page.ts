import { readFileSync } from 'node:fs';
import path from 'node:path';

const ROUTER = path.resolve(import.meta.dirname, '../../console/src/router.tsx');

/** Ids of the records that the pages show. */
export interface Shown {
  readonly customer: string;
  readonly invoice: string;
  /** Index of the expanded line of the invoice. */
  readonly line: number;
  readonly plan: string;
}

interface PageOfConsole {
  readonly name: string;
  /** Path in the router. */
  readonly route: string;
  readonly address: (shown: Shown) => string;
}

const encoded = encodeURIComponent;

/** Every page of the console, for specs that visit all of them. */
export const EVERY_PAGE: readonly PageOfConsole[] = [
  { name: 'overview', route: '/', address: () => '/' },
  { name: 'customers', route: '/customers', address: () => '/customers' },
  {
    name: 'customer',
    route: '/customers/$customerId',
    address: ({ customer }) => `/customers/${encoded(customer)}`,
  },
  {
    name: 'customer-changes',
    route: '/customers/$customerId/changes',
    address: ({ customer }) => `/customers/${encoded(customer)}/changes`,
  },
  {
    name: 'customer-history',
    route: '/customers/$customerId/history',
    address: ({ customer }) => `/customers/${encoded(customer)}/history`,
  },
  { name: 'subscriptions', route: '/subscriptions', address: () => '/subscriptions' },
  {
    name: 'events',
    route: '/events',
    address: ({ customer }) => `/events?customer_id=${encoded(customer)}`,
  },
  { name: 'invoices', route: '/invoices', address: () => '/invoices' },
  {
    name: 'invoice',
    route: '/invoices/$invoiceId',
    address: ({ invoice, line }) => `/invoices/${invoice}?line=${line}`,
  },
  { name: 'plans', route: '/plans', address: () => '/plans' },
  { name: 'metrics', route: '/metrics', address: () => '/metrics' },
  { name: 'plan-form', route: '/plans/new', address: () => '/plans/new' },
  { name: 'plan', route: '/plans/$planId', address: ({ plan }) => `/plans/${plan}` },
  {
    name: 'plan-version-form',
    route: '/plans/$planId/versions/new',
    address: ({ plan }) => `/plans/${plan}/versions/new`,
  },
  { name: 'operation', route: '/operation', address: () => '/operation' },
  { name: 'audit', route: '/audit', address: () => '/audit' },
];

/** Returns the paths in the router's source. */
export const routesOfRouter = (): string[] =>
  [...readFileSync(ROUTER, 'utf8').matchAll(/^ {2}path: '([^']+)'/gm)].map(([, route]) => route!);
