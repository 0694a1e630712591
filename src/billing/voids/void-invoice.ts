import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import {
  Command,
  CommandHandler,
  type ICommandHandler,
  CommandBus,
  Query,
  QueryHandler,
  type IQueryHandler,
} from '@nestjs/cqrs';
import { DomainError } from '../../kernel/errors.js';
import { Database } from '../../platform/database/open-database.js';
import {
  type CommandContext,
  commandTime,
  decide,
  policyContext,
} from '../../platform/eventsourcing/command-runner/command-context.js';
import { CommandRunner } from '../../platform/eventsourcing/command-runner/command-runner.js';
import {
  EVENT_STORE,
  type EventStore,
  type FoldedState,
  foldStream,
} from '../../platform/eventsourcing/store/event-store.js';
import { TermReader } from '../../subscription/term-reader.js';
import type { AccountInvoice } from '../accounts/domain/account-invoices.js';
import { accountDecider, accountId, accountWithFullHistory } from '../decider/domain/account.js';
import { AccountLookup } from '../accounts/account-lookup.js';
import { derivedId, type Uuid } from '../../kernel/ids.js';
import { CLOCK, type Clock } from '../../platform/clock/clock.js';
import type { AccountState } from '../accounts/domain/account-state.js';
import { draftView, NextInvoice } from '../drafts/next-invoice.js';
import { waitForNumbers } from '../drafts/wait-for-numbers.js';
import type { InvoiceView } from '../invoices/invoice-view.js';
import { BillingRunLoader } from '../runs/billing-run-loader.js';
import { computeRun, UsageCounter } from '../runs/compute-run.js';
import { streamName, type RecordedEvent } from '../../kernel/event.js';
import {
  invoiceToVoid,
  invoiceFold,
  foldKeepingSettledTerms,
  settledTermsOf,
} from './domain/invoice-to-void.js';
import type { InvoiceToVoid } from './domain/void-invoice.js';
import { Policies, type Policy } from '../../platform/eventsourcing/policies/policies.js';
import type { AccountEvent } from '../accounts/domain/events.js';
import { RunBilling } from '../runs/run-billing.js';

/** Voids an issued, unpaid invoice. What it charged is billed again, at once with `rebill`. */
export class VoidInvoice extends Command<AccountInvoice> {
  constructor(
    readonly context: CommandContext,
    /** Id or number of the invoice, as the caller wrote it. */
    readonly name: string,
    readonly rebill: boolean,
  ) {
    super();
  }
}

const RETRIES = 8;

@CommandHandler(VoidInvoice)
export class VoidInvoiceHandler implements ICommandHandler<VoidInvoice> {
  constructor(
    private readonly runner: CommandRunner,
    private readonly accounts: AccountLookup,
    private readonly subscriptions: TermReader,
    @Inject(EVENT_STORE) private readonly store: EventStore,
  ) {}

  /** @throws DomainError `not_found`; `invalid_state` for a draft, a paid or a voided invoice */
  async execute({ context, name, rebill }: VoidInvoice): Promise<AccountInvoice> {
    const { customerKey, currency, invoiceId } = await this.accounts.ofInvoice(context.org, name);
    const id = accountId(customerKey, currency);
    for (let attempt = 0; ; attempt++) {
      const { toVoid } = await loadInvoiceToVoid(this.store, this.subscriptions, {
        org: context.org,
        id,
        invoiceId,
      });
      try {
        const command = { type: 'VoidInvoice' as const, ...toVoid, rebill };
        const { state } = await this.runner.run(accountDecider, id, command, context);
        return state.invoices.get(invoiceId)!;
      } catch (error) {
        const isConflict = error instanceof DomainError && error.code === 'conflict';
        if (!isConflict || attempt === RETRIES) throw error;
      }
    }
  }
}

/** Collects what a void needs. The full history is read, as the account has dropped the charges of settled terms. */
async function loadInvoiceToVoid(
  store: EventStore,
  subscriptions: TermReader,
  { org, id, invoiceId }: { readonly org: Uuid; readonly id: string; readonly invoiceId: Uuid },
): Promise<FoldedState<AccountState> & { readonly toVoid: Omit<InvoiceToVoid, 'rebill'> }> {
  const stream = streamName('account', org, id);
  const { state: record, revision } = await foldStream(
    store,
    stream,
    invoiceFold(invoiceId, accountDecider.evolve),
  );
  if (!record.invoice) throw new Error(`${stream} has no invoice ${invoiceId}`);
  const settled = settledTermsOf(record);
  const fullHistory =
    settled.length === 0
      ? record.state
      : (await foldStream(store, stream, foldKeepingSettledTerms(accountWithFullHistory.evolve), revision))
          .state;
  const terms = await Promise.all(
    [...record.state.terms.keys()].map((term) => subscriptions.load(org, term)),
  );
  const termEnds = terms.flatMap((read) => (read ? [read.state.term.end] : []));
  const toVoid = { ...invoiceToVoid(record, settled, fullHistory), termEnds };
  return { toVoid, state: record.state, revision };
}

/** Previews the invoice that bills a voided invoice's amounts again. Nothing is stored. */
export class PreviewVoid extends Query<readonly InvoiceView[]> {
  constructor(
    readonly context: CommandContext,
    /** Id or number of the invoice, as the caller wrote it. */
    readonly name: string,
    readonly rebill: boolean,
  ) {
    super();
  }
}

@QueryHandler(PreviewVoid)
export class PreviewVoidHandler implements IQueryHandler<PreviewVoid> {
  constructor(
    private readonly accounts: AccountLookup,
    private readonly subscriptions: TermReader,
    private readonly loader: BillingRunLoader,
    private readonly usage: UsageCounter,
    private readonly next: NextInvoice,
    private readonly database: Database,
    @Inject(EVENT_STORE) private readonly store: EventStore,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /** @throws DomainError what the void would be refused with, `amount_out_of_range` */
  execute(query: PreviewVoid): Promise<readonly InvoiceView[]> {
    return waitForNumbers(() => this.preview(query));
  }

  private async preview({ context, name, rebill }: PreviewVoid): Promise<readonly InvoiceView[]> {
    const { org, commandId, disconnected: signal = new AbortController().signal } = context;
    const { invoiceId, ...billable } = await this.accounts.ofInvoice(org, name);
    const id = accountId(billable.customerKey, billable.currency);
    const read = await loadInvoiceToVoid(this.store, this.subscriptions, { org, id, invoiceId });
    const now = await commandTime(context, this.clock);
    const command = { type: 'VoidInvoice' as const, ...read.toVoid, rebill, now, commandId };
    const stream = streamName('account', org, id);
    const { events, rules, state } = await decide(this.store, stream, accountDecider, command, read);
    const accountAfter = events.reduce(rules.evolve, state);
    signal.throwIfAborted();
    const run = { org, account: billable, runId: derivedId(commandId, 'rebill'), asOf: now, accountAfter };
    const result = rebill
      ? await computeRun(this.usage, await this.loader.load(run, []), signal)
      : await this.next.compute(org, billable, { newTerms: [], withNextPeriod: true, accountAfter, signal });
    const view = await draftView(this.database, org, result);
    return view ? [view] : [];
  }
}

/** Bills the amounts of a voided invoice at once where the void asks for it; otherwise the account is due later. */
@Injectable()
export class RebillVoidedInvoice implements Policy, OnModuleInit {
  readonly name = 'rebill-voided-invoice';
  readonly on = ['InvoiceVoided'];

  constructor(
    private readonly policies: Policies,
    private readonly commands: CommandBus,
  ) {}

  onModuleInit(): void {
    this.policies.register(this);
  }

  async handle(event: RecordedEvent<Extract<AccountEvent, { type: 'InvoiceVoided' }>>): Promise<void> {
    const { customerKey, currency, rebill } = event.data;
    if (!rebill) return;
    await this.commands.execute(new RunBilling(policyContext(event, this.name), { customerKey, currency }));
  }
}
