import { Inject, Module, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { CatalogModule } from '../catalog/catalog.module.js';
import { CustomerModule } from '../customer/customer.module.js';
import { MeteringModule } from '../metering/metering.module.js';
import { OrganizationModule } from '../organization/organization.module.js';
import { FollowUps } from '../platform/eventsourcing/policies/follow-ups.js';
import { BackgroundWork } from '../platform/concurrency/background-work.js';
import { CONFIG, type Config } from '../platform/config/config.js';
import { SubscriptionModule } from '../subscription/subscription.module.js';
import { BillAddon } from './commands/bill-addon.js';
import { BillCancelledSubscription } from './commands/bill-cancelled-subscription.js';
import { BillChangedTogether } from './commands/bill-changed-together.js';
import { BillChangedUnits } from './commands/bill-changed-units.js';
import { BillNewSubscription } from './commands/bill-new-subscription.js';
import { BillSwitchedSubscription } from './commands/bill-switched-subscription.js';
import { AccountStreams } from './account-streams.js';
import { AccountLookup } from './commands/account-lookup.js';
import { ChangeCreditHandler } from './commands/change-credit.js';
import { ChangePaymentHandler } from './commands/change-payment.js';
import { RunGatherer } from './commands/gather-run.js';
import { GrantCreditHandler } from './commands/grant-credit.js';
import { InvoiceNumbers } from './commands/invoice-numbers.js';
import { IssueInvoice } from './commands/issue-invoice.js';
import { RebillVoidedInvoice } from './commands/rebill-voided-invoice.js';
import { NotePastDueHandler } from './commands/note-past-due.js';
import { RehearseRunHandler } from './commands/rehearse-run.js';
import { RunBillingHandler } from './commands/run-billing.js';
import { UsageCounter } from './commands/usage-counter.js';
import { VoidInvoiceHandler } from './commands/void-invoice.js';
import { CreditsController } from './http/credits.controller.js';
import { DraftInvoicesController } from './http/draft-invoices.controller.js';
import { InvoicePdfController } from './http/invoice-pdf.controller.js';
import { InvoicePresenter } from './http/invoice-presenter.js';
import { InvoicesController } from './http/invoices.controller.js';
import { PreviewRunHandler } from './http/preview-run.js';
import { PdfLinks } from './http/pdf-links.js';
import { ShowInvoiceHandler } from './http/show-invoice.js';
import { TestClockController } from './http/test-clock.controller.js';
import { KeptPdfs } from './pdf/kept-pdfs.js';
import { CreditDescriptions } from './credit-descriptions.js';
import { Parking } from './parking/parking.js';
import { BilledAddonsHandler } from './queries/billed-addons.js';
import { DraftInvoicesHandler } from './queries/draft-invoices.js';
import { GetCreditHandler } from './queries/get-credit.js';
import { GetInvoiceHandler } from './queries/get-invoice.js';
import { GetInvoicePdfHandler } from './queries/get-invoice-pdf.js';
import { IsTermBilledHandler } from './queries/is-term-billed.js';
import { ListCreditsHandler } from './queries/list-credits.js';
import { ListInvoicesHandler } from './queries/list-invoices.js';
import { NextInvoice } from './queries/next-invoice.js';
import { ParkedSinceHandler } from './queries/parked-since.js';
import { ShowParkedHandler } from './queries/show-parked.js';
import { AccountVerifier } from './queries/account-verifier.js';
import { UsageRecount } from './queries/usage-recount.js';
import { VerifyNumbersHandler } from './queries/verify-numbers.js';
import { InvoiceVerifier } from './queries/invoice-verifier.js';
import { VerifyInvoiceHandler } from './queries/verify-invoice.js';
import { AdvanceClockHandler } from './workflows/advance-clock.js';
import { BillingSweep } from './workflows/billing-sweep.js';
import { DueWork } from './workflows/due-work.js';
import { LateWork } from './workflows/late-work.js';
import { Scheduler } from './workflows/scheduler.js';

@Module({
  imports: [CatalogModule, CustomerModule, MeteringModule, OrganizationModule, SubscriptionModule],
  controllers: [
    CreditsController,
    DraftInvoicesController,
    InvoicePdfController,
    InvoicesController,
    TestClockController,
  ],
  providers: [
    AccountLookup,
    AccountStreams,
    AdvanceClockHandler,
    BillingSweep,
    BillAddon,
    BillCancelledSubscription,
    BillChangedTogether,
    BilledAddonsHandler,
    BillChangedUnits,
    BillNewSubscription,
    BillSwitchedSubscription,
    ChangeCreditHandler,
    ChangePaymentHandler,
    CreditDescriptions,
    DraftInvoicesHandler,
    DueWork,
    GetCreditHandler,
    GetInvoiceHandler,
    GetInvoicePdfHandler,
    GrantCreditHandler,
    InvoiceNumbers,
    InvoicePresenter,
    InvoiceVerifier,
    IssueInvoice,
    IsTermBilledHandler,
    KeptPdfs,
    LateWork,
    ListCreditsHandler,
    ListInvoicesHandler,
    NextInvoice,
    ParkedSinceHandler,
    Parking,
    PreviewRunHandler,
    ShowParkedHandler,
    NotePastDueHandler,
    PdfLinks,
    RebillVoidedInvoice,
    RehearseRunHandler,
    RunBillingHandler,
    RunGatherer,
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
    private readonly billChangedTogether: BillChangedTogether,
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
