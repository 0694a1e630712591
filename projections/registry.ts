import { addonsProjection } from './addons/projection.js';
import { auditProjection } from './audit/projection.js';
import { catalogProjection } from './catalog/projection.js';
import { creditsProjection } from './credits/projection.js';
import { customersProjection } from './customers/projection.js';
import { dueBillingProjection } from './due-billing/projection.js';
import { duePaymentsProjection } from './due-payments/projection.js';
import { invoicesProjection } from './invoices/projection.js';
import { plansProjection } from './plans/projection.js';
import type { Projection } from './runtime/projection.js';
import { subscriptionsProjection } from './subscriptions/projection.js';
import { webhooksProjection } from './webhooks/projection.js';

/** All read models. */
export const PROJECTIONS: readonly Projection[] = [
  addonsProjection,
  auditProjection,
  catalogProjection,
  creditsProjection,
  customersProjection,
  dueBillingProjection,
  duePaymentsProjection,
  invoicesProjection,
  plansProjection,
  subscriptionsProjection,
  webhooksProjection,
];
