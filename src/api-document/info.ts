import type { ApiInfo } from '../platform/http/openapi/api-info.js';
import { CHOICE_DESCRIPTIONS } from './choice-descriptions.js';
import { EXAMPLES } from './examples.js';
import { FIELD_DESCRIPTIONS } from './field-descriptions.js';
import { OPERATION_DESCRIPTIONS } from './operation-descriptions.js';
import { RECORD_DESCRIPTIONS } from './record-descriptions.js';
import { PARAMETER_SAMPLES, SAMPLES } from './samples.js';
import { SERVICE_DESCRIPTIONS } from './service-descriptions.js';

/** Title, version, licence and groups of operations of the API document. */
export const API: ApiInfo = {
  title: 'Recount',
  version: '0.9.3',
  summary: 'Plans, subscriptions, usage, credits and invoices of usage-based pricing.',
  description: [
    'A pricing and billing engine: it keeps plans, subscriptions, usage and credits, and issues invoices.',
    'Amounts are JSON numbers in the major unit of their currency. Instants are ISO 8601 in UTC; a time without an offset is read as UTC.',
    'Lists answer a plain array; the next page is in the `Link` header. A POST with an `Idempotency-Key` runs once. Errors are RFC 7807 problems that name every wrong field.',
  ].join('\n\n'),
  license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
  vocabulary: {
    fields: { ...FIELD_DESCRIPTIONS, ...RECORD_DESCRIPTIONS, ...SERVICE_DESCRIPTIONS },
    choices: CHOICE_DESCRIPTIONS,
    operations: OPERATION_DESCRIPTIONS,
    examples: EXAMPLES,
    samples: SAMPLES,
    parameters: PARAMETER_SAMPLES,
  },
  tags: [
    { name: 'Customers', description: 'The people and companies that are invoiced.', paths: ['customers'] },
    { name: 'Metrics', description: 'How usage events are counted.', paths: ['metrics'] },
    { name: 'Features', description: 'Rights that a plan grants beside usage.', paths: ['features'] },
    { name: 'Plans', description: 'Plans that are sold, and their tags.', paths: ['plans'] },
    {
      name: 'Plan versions',
      description: 'The prices of a plan. Prices of a version never change; a new version replaces them.',
      paths: ['plan_versions'],
    },
    {
      name: 'Add-ons',
      description: 'Charges and features that are attached to a running subscription.',
      paths: ['addons'],
    },
    {
      name: 'Subscriptions',
      description: 'Terms of a customer on a plan version: start, switch, change, cancellation, add-ons.',
      paths: ['subscriptions'],
    },
    {
      name: 'Usage',
      description: 'Usage events: ingestion and what became of them.',
      paths: ['track', 'verify_idems_received', 'usage', 'events', 'usage-alerts'],
    },
    {
      name: 'Access',
      description: 'Whether a customer may use a feature or a metric now.',
      paths: ['feature_access', 'metric_access'],
    },
    { name: 'Invoices', description: 'Issued invoices, their payment, proof and PDF.', paths: ['invoices'] },
    {
      name: 'Credits',
      description: 'Balances that invoices draw down before money is due.',
      paths: ['credits'],
    },
    {
      name: 'Analytics',
      description: 'Recurring revenue, invoiced amounts, receivables, credits and usage of all customers.',
      paths: ['analytics'],
    },
    {
      name: 'Organization',
      description: 'Settings of the organization of the key.',
      paths: ['organization'],
    },
    {
      name: 'Organizations',
      description: 'All organizations of the service, for the bootstrap key.',
      paths: ['organizations'],
    },
    {
      name: 'Transparency log',
      description:
        'The audit log, signed checkpoints of everything stored, and proofs that something is in them.',
      paths: ['audit'],
    },
    { name: 'API keys', description: 'Keys of the organization and their scopes.', paths: ['api_keys'] },
    { name: 'Webhooks', description: 'Endpoints that are told what happened.', paths: ['webhooks'] },
    {
      name: 'Operation',
      description: 'Due work, parked work, and how far read models are from the log.',
      paths: ['upcoming_work', 'parked_work', 'read_models'],
    },
    {
      name: 'Test clock',
      description: "The organization's manual clock, where the service runs with CLOCK=manual.",
      paths: ['test_clock'],
    },
    {
      name: 'Service',
      description: 'Whether the service answers, for whom, and how.',
      paths: ['ping', 'healthcheck', 'readiness', 'openapi.json'],
    },
  ],
};
