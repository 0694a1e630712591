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
import { FollowUps } from '../platform/eventsourcing/policies/follow-ups.js';
import { BackgroundWork } from '../platform/concurrency/background-work.js';
import { CONFIG, type Config } from '../platform/config/config.js';
import { InvoicePreview, TermBilling } from '../subscription/billing-ports.js';
import { SubscriptionModule } from '../subscription/subscription.module.js';
import { BillAddon } from './runs/bill-addon.js';
import { BillCancelledSubscription } from './runs/bill-cancelled-subscription.js';
import { BillBulkChange } from './runs/bill-bulk-change.js';
import { BillChangedUnits } from './runs/bill-changed-units.js';
import { BillNewSubscription } from './runs/bill-new-subscription.js';
import { BillSwitchedSubscription } from './runs/bill-switched-subscription.js';
import { AccountEtagLocators } from './accounts/http/etag-locators.js';
import { AccountLookup } from './accounts/account-lookup.js';
import { ChangeCreditHandler } from './credits/change-credit.js';
import { ChangePaymentHandler } from './invoices/change-payment.js';
import { BillingRunLoader } from './runs/billing-run-loader.js';
import { GrantCreditHandler } from './credits/grant-credit.js';
import { InvoiceNumbers } from './numbering/invoice-numbers.js';
import { IssueInvoice } from './numbering/issue-invoice.js';
import { RebillVoidedInvoice } from './voids/rebill-voided-invoice.js';
import { NotePastDueHandler } from './invoices/note-past-due.js';
import { CommandInvoicePreview } from './drafts/http/command-invoice-preview.js';
import { InvoiceDryRun } from './runs/invoice-dry-run.js';
import { AccountTermBilling } from './runs/term-billing.js';
import { RunBillingHandler } from './runs/run-billing.js';
import { UsageCounter } from './runs/usage-counter.js';
import { VoidInvoiceHandler } from './voids/void-invoice.js';
import { CreditsController } from './credits/http/credits.controller.js';
import { DraftInvoicesController } from './drafts/http/draft-invoices.controller.js';
import { InvoicePdfController } from './pdf/http/invoice-pdf.controller.js';
import { InvoicePresenter } from './invoices/http/invoice-presenter.js';
import { InvoicesController } from './invoices/http/invoices.controller.js';
import { PdfLinks } from './pdf/http/pdf-links.js';
import { ShowInvoiceHandler } from './invoices/http/show-invoice.js';
import { TestClockController } from './scheduler/http/test-clock.controller.js';
import { PdfStore } from './pdf/pdf-store.js';
import { CreditDescriptions } from './credits/credit-descriptions.js';
import { Parking } from './parking/parking.js';
import { DraftInvoicesHandler } from './drafts/draft-invoices.js';
import { GetCreditHandler } from './credits/get-credit.js';
import { GetInvoiceHandler } from './invoices/get-invoice.js';
import { GetInvoicePdfHandler } from './pdf/get-invoice-pdf.js';
import { ListCreditsHandler } from './credits/list-credits.js';
import { ListInvoicesHandler } from './invoices/list-invoices.js';
import { NextInvoice } from './drafts/next-invoice.js';
import { ParkedSinceHandler } from './parking/parked-since.js';
import { ShowParkedHandler } from './parking/show-parked.js';
import { AccountVerifier } from './verification/account-verifier.js';
import { UsageRecount } from './verification/usage-recount.js';
import { VerifyNumbersHandler } from './verification/verify-numbers.js';
import { InvoiceVerifier } from './verification/invoice-verifier.js';
import { VerifyInvoiceHandler } from './verification/verify-invoice.js';
import { AdvanceClockHandler } from './scheduler/advance-clock.js';
import { BillingSweep } from './scheduler/billing-sweep.js';
import { DueAccountsScan } from './scheduler/due-accounts-scan.js';
import { LateUsageScan } from './late-usage/late-usage-scan.js';
import { Scheduler } from './scheduler/scheduler.js';

/** Global: the subscription module asks for billing's implementations of its ports, and cannot import this module. */
@Global()
@Module({
  imports: [CatalogModule, CustomerModule, MeteringModule, OrganizationModule, SubscriptionModule],
  controllers: [
    CreditsController,
    DraftInvoicesController,
    InvoicePdfController,
    InvoicesController,
    TestClockController,
  ],
  exports: [InvoicePreview, TermBilling],
  providers: [
    { provide: InvoicePreview, useClass: CommandInvoicePreview },
    { provide: TermBilling, useClass: AccountTermBilling },
    InvoiceDryRun,
    AccountLookup,
    AccountEtagLocators,
    AdvanceClockHandler,
    BillingSweep,
    BillAddon,
    BillCancelledSubscription,
    BillBulkChange,
    BillChangedUnits,
    BillNewSubscription,
    BillSwitchedSubscription,
    ChangeCreditHandler,
    ChangePaymentHandler,
    CreditDescriptions,
    DraftInvoicesHandler,
    DueAccountsScan,
    GetCreditHandler,
    GetInvoiceHandler,
    GetInvoicePdfHandler,
    GrantCreditHandler,
    InvoiceNumbers,
    InvoicePresenter,
    InvoiceVerifier,
    IssueInvoice,
    PdfStore,
    LateUsageScan,
    ListCreditsHandler,
    ListInvoicesHandler,
    NextInvoice,
    ParkedSinceHandler,
    Parking,
    ShowParkedHandler,
    NotePastDueHandler,
    PdfLinks,
    RebillVoidedInvoice,
    RunBillingHandler,
    BillingRunLoader,
    Scheduler,
    ShowInvoiceHandler,
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
    private readonly followUps: FollowUps,
    private readonly billAddon: BillAddon,
    private readonly billCancelledSubscription: BillCancelledSubscription,
    private readonly billChangedTogether: BillBulkChange,
    private readonly billChangedUnits: BillChangedUnits,
    private readonly billNewSubscription: BillNewSubscription,
    private readonly billSwitchedSubscription: BillSwitchedSubscription,
    private readonly issueInvoice: IssueInvoice,
    private readonly rebillVoidedInvoice: RebillVoidedInvoice,
    private readonly scheduler: Scheduler,
    private readonly background: BackgroundWork,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  onApplicationBootstrap(): void {
    this.followUps.register(this.billNewSubscription);
    this.followUps.register(this.billAddon);
    this.followUps.register(this.billCancelledSubscription);
    this.followUps.register(this.billChangedTogether);
    this.followUps.register(this.billChangedUnits);
    this.followUps.register(this.billSwitchedSubscription);
    this.followUps.register(this.issueInvoice);
    this.followUps.register(this.rebillVoidedInvoice);
    if (this.config.roles.has('scheduler') && this.config.clock === 'system') {
      this.background.register(() => this.scheduler.start());
    }
  }

  async onApplicationShutdown(): Promise<void> {
    await this.scheduler.stop();
  }
}
