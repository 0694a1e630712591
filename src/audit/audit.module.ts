import { Module } from '@nestjs/common';
import { AlertsModule } from '../alerts/alerts.module.js';
import { CatalogModule } from '../catalog/catalog.module.js';
import { CustomerModule } from '../customer/customer.module.js';
import { MeteringModule } from '../metering/metering.module.js';
import { TransparencyModule } from '../transparency/transparency.module.js';
import { WebhooksModule } from '../webhooks/webhooks.module.js';
import { ClaimAudit } from './doctor/claim-audit.js';
import { Doctor } from './doctor/doctor.js';
import { KeyAudit } from './doctor/key-audit.js';
import { LogoAudit } from './doctor/logo-audit.js';
import { PersonalDataAudit } from './doctor/personal-data-audit.js';
import { RestrictionAudit } from './doctor/restriction-audit.js';
import { SettingsAudit } from './doctor/settings-audit.js';
import { EvidenceBundles } from './evidence/evidence-bundle.js';
import { EvidenceSelector } from './evidence/evidence-selection.js';
import { PersonalDataLines } from './evidence/personal-data-lines.js';
import { TreeProofs } from './evidence/tree-proofs.js';
import { UsageRows } from './evidence/usage-rows.js';
import { AuditLogController } from './http/audit-log.controller.js';
import { BundleTags } from './http/bundle-tags.js';
import { EvidenceController } from './http/evidence.controller.js';
import { InvoiceExplanationController } from './http/invoice-explanation.controller.js';
import { ReadModelsController } from './http/read-models.controller.js';
import { TermHistoryController } from './http/term-history.controller.js';
import { ActorNames } from './queries/actor-names.js';
import { AuditNames } from './queries/audit-names.js';
import { ExplainInvoiceHandler } from './queries/explain-invoice.js';
import { GetTermHistoryHandler } from './queries/get-term-history.js';
import { ListAuditLogHandler } from './queries/list-audit-log.js';
import { ListLineEventsHandler } from './queries/list-line-events.js';
import { UsageQuantities } from './queries/usage-quantities.js';
import { ReadModelDistances } from './queries/read-model-distances.js';

/** Shows what happened and why, from the log itself: for auditors. */
@Module({
  imports: [AlertsModule, CatalogModule, CustomerModule, MeteringModule, TransparencyModule, WebhooksModule],
  controllers: [
    AuditLogController,
    EvidenceController,
    InvoiceExplanationController,
    ReadModelsController,
    TermHistoryController,
  ],
  providers: [
    ActorNames,
    AuditNames,
    ClaimAudit,
    Doctor,
    ExplainInvoiceHandler,
    GetTermHistoryHandler,
    KeyAudit,
    LogoAudit,
    PersonalDataAudit,
    ListAuditLogHandler,
    SettingsAudit,
    ListLineEventsHandler,
    ReadModelDistances,
    RestrictionAudit,
    EvidenceBundles,
    BundleTags,
    EvidenceSelector,
    PersonalDataLines,
    TreeProofs,
    UsageQuantities,
    UsageRows,
  ],
})
export class AuditModule {}
