import {
  Global,
  Inject,
  Module,
  type OnApplicationBootstrap,
  type OnApplicationShutdown,
} from '@nestjs/common';
import { CatalogModule } from '../catalog/catalog.module.js';
import { CustomerModule } from '../customer/customer.module.js';
import { MeteringModule } from '../metering/metering.module.js';
import { OrganizationModule } from '../organization/organization.module.js';
import { HttpModule } from '../platform/http/http.module.js';
import { BackgroundWork } from '../platform/concurrency/background-work.js';
import { CONFIG, type Config } from '../platform/config/config.js';
import { InvoiceDryRun, InvoicePreview, TermBilling } from '../subscription/billing-ports.js';
import { SubscriptionModule } from '../subscription/subscription.module.js';
import { BillingPolicies } from './runs/billing-policies.js';
import { AccountEtagLocators } from './accounts/http/etag-locators.js';
import { AccountLookup } from './accounts/account-lookup.js';
import { ChangeCreditHandler } from './credits/change-credit.js';
import { ChangePaymentHandler, NotePastDueHandler } from './invoices/change-payment.js';
import { BillingRunLoader } from './runs/billing-run-loader.js';
import { GrantCreditHandler } from './credits/grant-credit.js';
import { InvoiceNumberAssigner, IssueInvoicePolicy } from './numbering/issue-invoice.js';
import { PreviewVoidHandler, RebillVoidedInvoice, VoidInvoiceHandler } from './voids/void-invoice.js';
import { BillingDryRun, UsageCounter } from './runs/compute-run.js';
import { RunBillingHandler } from './runs/run-billing.js';
import { CreditsController } from './credits/http/credits.controller.js';
import { DraftInvoicesController } from './drafts/http/draft-invoices.controller.js';
import { InvoicePdfController } from './pdf/http/invoice-pdf.controller.js';
import { InvoicePresenter, GetInvoiceResourceHandler } from './invoices/http/invoice-presenter.js';
import { PresentInvoicesOfCustomersHandler } from './invoices/http/present-invoices-of-customers.js';
import { InvoicesOfCustomers } from './invoices/invoices-of-customers.js';
import { EInvoiceController } from './e-invoice/http/e-invoice.controller.js';
import { EInvoiceWriter } from './e-invoice/e-invoice-writer.js';
import { GetEInvoiceHandler, GetEInvoicePdfHandler } from './e-invoice/get-e-invoice.js';
import { IssuedInvoiceReader } from './invoices/issued-invoice-reader.js';
import { InvoicesController } from './invoices/http/invoices.controller.js';
import { PdfLinks } from './invoices/http/pdf-links.js';
import { UpcomingWorkController } from './scheduler/http/upcoming-work.controller.js';
import { TestClockController } from './scheduler/http/test-clock.controller.js';
import { DocumentRecords } from './pdf/document-records.js';
import { DocumentWriter } from './pdf/document-writer.js';
import { PdfStore } from './pdf/pdf-store.js';
import { CreditDescriptions } from './credits/credit-descriptions.js';
import { ParkedWorkController } from './parking/http/parked-work.controller.js';
import { Parking } from './parking/parking.js';
import { AccountTermBilling } from './runs/term-billing.js';
import { CommandInvoicePreview } from './drafts/http/command-invoice-preview.js';
import { DraftInvoicesHandler } from './drafts/draft-invoices.js';
import { GetCreditHandler } from './credits/get-credit.js';
import { GetInvoiceHandler } from './invoices/get-invoice.js';
import { GetInvoicePdfHandler } from './pdf/get-invoice-pdf.js';
import { ListCreditsHandler } from './credits/list-credits.js';
import { ListInvoicesHandler } from './invoices/list-invoices.js';
import { NextInvoice } from './drafts/next-invoice.js';
import { ListNotedParkedWorkHandler, GetParkedWorkResourceHandler } from './parking/parked-work-queries.js';
import { AccountVerifier } from './verification/account-verifier.js';
import { UsageRecount } from './verification/usage-recount.js';
import { VerifyNumbersHandler } from './verification/verify-numbers.js';
import { InvoiceVerifier } from './verification/invoice-verifier.js';
import { VerifyInvoiceHandler } from './verification/verify-invoice.js';
import { AdvanceClockHandler } from './scheduler/advance-clock.js';
import { BillingSweep } from './scheduler/billing-sweep.js';
import { UpcomingWorkReport } from './scheduler/upcoming-work-report.js';
import { DueAccountsScan } from './scheduler/due-accounts-scan.js';
import { LateUsageScan } from './late-usage/late-usage-scan.js';
import { BilledWindows } from './usage/billed-windows.js';
import { CustomerUsage } from './usage/customer-usage.js';
import { GaugeBases } from './usage/gauge-bases.js';
import { UsageReferences } from './usage/usage-references.js';
import { UsageTerms } from './usage/usage-terms.js';
import { EventContexts } from './usage/event-contexts.js';
import { EventsController } from './usage/http/events.controller.js';
import { ListEventsHandler } from './usage/list-events.js';
import { GetUsageHandler } from './usage/get-usage.js';
import { UsageController } from './usage/http/usage.controller.js';
import { Scheduler } from './scheduler/scheduler.js';

/** Global: the subscription module asks for billing's implementations of its ports, and cannot import this module. */
@Global()
@Module({
  imports: [
    HttpModule,
    CatalogModule,
    CustomerModule,
    MeteringModule,
    OrganizationModule,
    SubscriptionModule,
  ],
  controllers: [
    CreditsController,
    DraftInvoicesController,
    UpcomingWorkController,
    EInvoiceController,
    InvoicePdfController,
    InvoicesController,
    ParkedWorkController,
    TestClockController,
    EventsController,
    UsageController,
  ],
  exports: [BillingRunLoader, CustomerUsage, GaugeBases, InvoiceDryRun, InvoicePreview, TermBilling],
  providers: [
    { provide: InvoicePreview, useClass: CommandInvoicePreview },
    { provide: TermBilling, useClass: AccountTermBilling },
    BillingDryRun,
    { provide: InvoiceDryRun, useExisting: BillingDryRun },
    AccountLookup,
    AccountEtagLocators,
    AdvanceClockHandler,
    BilledWindows,
    CustomerUsage,
    GaugeBases,
    UsageReferences,
    UsageTerms,
    EventContexts,
    GetUsageHandler,
    ListEventsHandler,
    BillingSweep,
    BillingPolicies,
    ChangeCreditHandler,
    ChangePaymentHandler,
    CreditDescriptions,
    DraftInvoicesHandler,
    DueAccountsScan,
    UpcomingWorkReport,
    GetCreditHandler,
    GetEInvoiceHandler,
    GetEInvoicePdfHandler,
    GetInvoiceHandler,
    GetInvoicePdfHandler,
    GrantCreditHandler,
    InvoiceNumberAssigner,
    InvoicePresenter,
    InvoicesOfCustomers,
    InvoiceVerifier,
    IssueInvoicePolicy,
    IssuedInvoiceReader,
    PdfStore,
    DocumentWriter,
    DocumentRecords,
    EInvoiceWriter,
    LateUsageScan,
    ListCreditsHandler,
    ListInvoicesHandler,
    NextInvoice,
    ListNotedParkedWorkHandler,
    Parking,
    GetParkedWorkResourceHandler,
    NotePastDueHandler,
    PdfLinks,
    PreviewVoidHandler,
    RebillVoidedInvoice,
    RunBillingHandler,
    BillingRunLoader,
    Scheduler,
    GetInvoiceResourceHandler,
    PresentInvoicesOfCustomersHandler,
    UsageCounter,
    AccountVerifier,
    UsageRecount,
    VerifyInvoiceHandler,
    VerifyNumbersHandler,
    VoidInvoiceHandler,
  ],
})
export class BillingModule implements OnApplicationBootstrap, OnApplicationShutdown {
  constructor(
    private readonly scheduler: Scheduler,
    private readonly background: BackgroundWork,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  onApplicationBootstrap(): void {
    if (this.config.clock === 'system') {
      this.background.register('scheduler', () => this.scheduler.start());
    }
  }

  async onApplicationShutdown(): Promise<void> {
    await this.scheduler.stop();
  }
}
