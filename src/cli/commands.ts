/**
 * Modules of all commands but those on read models. The build bundles them into one file
 * (scripts/bundle-cli.mjs).
 */
export { FIRST_ORGANIZATION } from '../organization/first-organization.js';
export { examine } from './doctor.js';
export { listErasures, readErasures, repeatErasures } from './erasures.js';
export { explainInvoice } from './explain-invoice.js';
export { exportEvidence, readSelection, resumeEvidence } from './export-evidence.js';
export { exportView } from './export-view.js';
export { addOrganizationKey, createOrganization, listOrganizations } from './organizations.js';
export { listParked, retryParked } from './parked.js';
export { replaySubscription } from './replay-subscription.js';
export { requireOrganization } from './require-organization.js';
export { requireReadModels } from './require-read-models.js';
export { verifyInvoices } from './verify-invoices.js';
