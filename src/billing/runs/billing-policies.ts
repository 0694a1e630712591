import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import type { CustomerEvent } from '../../customer/domain/events.js';
import type { RecordedEvent } from '../../kernel/event.js';
import type { Uuid } from '../../kernel/ids.js';
import { groupBy } from '../../kernel/iteration.js';
import { CLOCK, type Clock } from '../../platform/clock/clock.js';
import {
  commandTime,
  policyContext,
  withRole,
  type CommandContext,
  type CommandSession,
} from '../../platform/eventsourcing/command-runner/command-context.js';
import { Policies, type Policy } from '../../platform/eventsourcing/policies/policies.js';
import { BulkChangeExecutor } from '../../subscription/commands/bulk-change-executor.js';
import { CloseTerm } from '../../subscription/commands/close-term.js';
import {
  fromStoredChange,
  isInvoicedNow,
  type BulkChangeEvent,
} from '../../subscription/domain/bulk-change.js';
import type { SubscriptionEvent, Term } from '../../subscription/domain/events.js';
import { MAX_RENEWED_AT_ONCE } from '../../subscription/renewals.js';
import { TermReader } from '../../subscription/term-reader.js';
import { Parking } from '../parking/parking.js';
import { BILLING_POLICY_NAMES } from './compute-run.js';
import { RunBilling } from './run-billing.js';

type ChangeType =
  | 'AddonAttached'
  | 'AddonCancelled'
  | 'PrepaidUnitsChanged'
  | 'SubscriptionCancelled'
  | 'SubscriptionSwitched';
type Data<Type> = Extract<SubscriptionEvent, { type: Type }>['data'];
type Started = Extract<SubscriptionEvent, { type: 'SubscriptionStarted' }>;
type BulkChanged = BulkChangeEvent | Extract<CustomerEvent, { type: 'CustomerDeleted' }>;

interface ChangePolicy<Type> {
  readonly name: string;
  /** Selects the terms to bill at once; undefined: the change waits for the account's next run. */
  readonly terms: (data: Data<Type>) => readonly Uuid[] | undefined;
}

/** Policies for changes of one subscription, by event type. A bulk change has one run for all of its subscriptions. */
const OF_CHANGES: { readonly [Type in ChangeType]: ChangePolicy<Type> } = {
  AddonAttached: {
    name: BILLING_POLICY_NAMES.AddonAttached,
    terms: ({ subscriptionId, addon }) =>
      addon.invoiceWhen === 'invoice_on_attach' ? [subscriptionId] : undefined,
  },
  AddonCancelled: {
    name: BILLING_POLICY_NAMES.AddonCancelled,
    terms: ({ subscriptionId, invoicing }) => (invoicing === 'invoice_now' ? [subscriptionId] : undefined),
  },
  PrepaidUnitsChanged: {
    name: BILLING_POLICY_NAMES.PrepaidUnitsChanged,
    terms: ({ subscriptionId, invoiceNow }) => (invoiceNow ? [subscriptionId] : undefined),
  },
  SubscriptionCancelled: {
    name: BILLING_POLICY_NAMES.SubscriptionCancelled,
    terms: ({ subscriptionId, invoicing, billedTogether }) =>
      invoicing === 'invoice_now' && !billedTogether ? [subscriptionId] : undefined,
  },
  SubscriptionSwitched: {
    name: BILLING_POLICY_NAMES.SubscriptionSwitched,
    terms: ({ subscriptionId, successor, invoicing, billedTogether }) =>
      invoicing === 'invoice_now' && !billedTogether ? [subscriptionId, successor.subscriptionId] : undefined,
  },
};

/**
 * Runs billing after the events that are invoiced at once: new subscriptions, changes of one, bulk changes. Its policies
 * are `last`: successors and bulk changes are complete before they are billed.
 */
@Injectable()
export class BillingPolicies implements OnModuleInit {
  constructor(
    private readonly policies: Policies,
    private readonly commands: CommandBus,
    private readonly subscriptions: TermReader,
    private readonly parking: Parking,
    private readonly bulk: BulkChangeExecutor,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  onModuleInit(): void {
    const started: Policy<Started> = {
      name: BILLING_POLICY_NAMES.SubscriptionStarted,
      on: ['SubscriptionStarted'],
      last: true,
      handle: (event, session) => this.billNewSubscription(event, started.name, session),
    };
    const bulk: Policy<BulkChanged> = {
      // A former name of the bulk run. It cannot change, because ids of commands derive from it.
      name: 'bill-changed-together',
      on: ['BulkChangeAccepted', 'CustomerDeleted'],
      last: true,
      handle: (event) => this.billBulkChange(event, bulk.name),
    };
    const changes = (Object.keys(OF_CHANGES) as ChangeType[]).map((type) => this.changePolicy(type));
    this.policies.register(started, bulk, ...changes);
  }

  /**
   * Bills a created subscription; its account learns of the term by this run. Where the first term is over already, the
   * terms since are renewed first, so that one invoice has all of them.
   */
  async billNewSubscription(
    event: RecordedEvent<Started>,
    policy: string,
    session?: CommandSession,
  ): Promise<void> {
    const { term, origin } = event.data;
    if (origin.kind !== 'created') return;
    const account = { customerKey: term.customerKey, currency: term.basis.currency };
    const context = policyContext(event, policy, session);
    await this.renewUpToNow(context, term);
    await this.commands.execute(new RunBilling(context, account, [term.subscriptionId]));
  }

  /** Bills the subscriptions that one decision cancels or switches: one run per account, after all of them. */
  async billBulkChange(event: RecordedEvent<BulkChanged>, policy: string): Promise<void> {
    const { customerKey } = event.data;
    if (!isBilledAtOnce(event)) return;
    const changed = await this.bulk.loadChanged(event, event.data);
    const terms = changed.flatMap(({ term, switched }) => (switched ? [term, switched.successor] : [term]));
    for (const [currency, ofAccount] of groupBy(terms, ({ basis }) => basis.currency)) {
      const context = policyContext(event, `${policy} ${currency}`);
      const ids = ofAccount.map(({ subscriptionId }) => subscriptionId);
      await this.commands.execute(new RunBilling(context, { customerKey, currency }, ids, ids));
    }
  }

  private changePolicy<Type extends ChangeType>(type: Type): Policy {
    const { name, terms } = OF_CHANGES[type];
    return {
      name,
      on: [type],
      last: true,
      handle: async (event, session) => {
        const data = event.data as Data<Type>;
        const ids = terms(data);
        if (!ids) return;
        const { customerKey, currency } = data;
        const context = policyContext(event, name, session);
        await this.commands.execute(new RunBilling(context, { customerKey, currency }, ids));
      },
    };
  }

  /** A renewal that cannot be decided is parked; the terms renewed before it are billed. */
  private async renewUpToNow(context: CommandContext, first: Term): Promise<void> {
    const { org } = context;
    const now = await commandTime(context, this.clock);
    let term: Term | undefined = first;
    for (let renewed = 0; term && term.end <= now && renewed < MAX_RENEWED_AT_ONCE; renewed++) {
      const { subscriptionId, customerKey, basis } = term;
      const work = { org, kind: 'boundary', subjectId: subscriptionId, customerKey } as const;
      const closing = new CloseTerm(withRole(context, `close ${subscriptionId}`), subscriptionId);
      await this.parking.attempt({ ...work, currency: basis.currency }, () => this.commands.execute(closing));
      const closed = await this.subscriptions.load(context, subscriptionId);
      const next = closed?.state.successor ?? null;
      term = next === null ? undefined : (await this.subscriptions.load(context, next))?.state.term;
    }
  }
}

/** Tells whether a bulk change is invoiced at once, or with the next invoice. */
const isBilledAtOnce = ({ type, data }: RecordedEvent<BulkChanged>): boolean =>
  type === 'CustomerDeleted' || isInvoicedNow(fromStoredChange((data as BulkChangeEvent['data']).change));
