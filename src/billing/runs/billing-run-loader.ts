import { Inject, Injectable } from '@nestjs/common';
import { AddonCatalog } from '../../catalog/addon-catalog.js';
import { PlanCatalog } from '../../catalog/plan-catalog.js';
import { CustomerReader } from '../../customer/customer-reader.js';
import { derivedId, type Uuid } from '../../kernel/ids.js';
import { latest, type Instant } from '../../kernel/instant.js';
import { streamName } from '../../kernel/stream.js';
import { OrganizationReader } from '../../organization/organization-reader.js';
import type {
  CommandSession,
  ReadScope,
} from '../../platform/eventsourcing/command-runner/command-session.js';
import { readState } from '../../platform/eventsourcing/command-runner/read-stream.js';
import { EVENT_STORE, type EventStore } from '../../platform/eventsourcing/store/event-store.js';
import { foldStream } from '../../platform/eventsourcing/store/fold-stream.js';
import type { Subscription } from '../../subscription/domain/subscription-state.js';
import { addonsOf } from '../../subscription/domain/term-addons.js';
import { SubscriptionReader } from '../../subscription/subscription-reader.js';
import { account, accountId, accountWithFullHistory } from '../accounts/domain/account.js';
import type { AccountState } from '../accounts/domain/account-state.js';
import type { AccountEvent } from '../accounts/domain/events.js';
import type { RunInputs } from '../accounts/domain/event-data.js';
import { addonMember } from '../rating/addon-members.js';
import type { RunData, RunTerm } from '../rating/run.js';
import { deferredToBulkRun } from '../rating/bulk-run.js';
import { POLICY } from '../../pricing/policy.js';

export interface BillableAccount {
  readonly customerKey: Uuid;
  readonly currency: string;
}

interface RunIdentity {
  readonly org: Uuid;
  /** Session of the command that the run belongs to. */
  readonly session?: CommandSession | undefined;
  readonly account: BillableAccount;
  readonly runId: Uuid;
  readonly asOf: Instant;
}

/** Loads the inputs of a billing run (`RunData`). */
@Injectable()
export class BillingRunLoader {
  constructor(
    @Inject(EVENT_STORE) private readonly store: EventStore,
    private readonly organizations: OrganizationReader,
    private readonly customers: CustomerReader,
    private readonly subscriptions: SubscriptionReader,
    private readonly plans: PlanCatalog,
    private readonly addons: AddonCatalog,
  ) {}

  /** Makes a loader that reads another view of the log. */
  withStore(store: EventStore): BillingRunLoader {
    return new BillingRunLoader(
      store,
      new OrganizationReader(store),
      new CustomerReader(store),
      new SubscriptionReader(store),
      this.plans.withStore(store),
      this.addons.withStore(store),
    );
  }

  /**
   * Loads everything as it is now. `alsoTerms` are terms that no run of the account has met yet, `changed` terms as a command
   * would leave them, also one that it would begin; `bulkRun` the terms that this run invoices as a bulk run.
   */
  async load(
    asked: RunIdentity,
    alsoTerms: readonly Uuid[],
    changed: readonly Subscription[] = [],
    bulkRun: readonly Uuid[] = [],
  ): Promise<RunData> {
    const { state: folded, recordedAt } = await this.accountNow(asked);
    // A run is never computed before the last event of its account.
    const run = recordedAt ? { ...asked, asOf: latest(asked.asOf, recordedAt) } : asked;
    const known = [...folded.terms.keys(), ...alsoTerms].filter((id) => !folded.settled.has(id));
    const found = await this.termsAndSuccessors(run, known);
    const left = deferredToBulkRun(found, folded, run.asOf, bulkRun);
    const own = found.filter(({ term }) => !left.has(term.subscriptionId));
    const terms = own.map((runTerm) => {
      const after = changed.find(({ term }) => term.subscriptionId === runTerm.term.subscriptionId);
      return after ? { ...runTerm, ...changesOf(after) } : runTerm;
    });
    for (const { term } of changed) {
      const isFound = terms.some((runTerm) => runTerm.term.subscriptionId === term.subscriptionId);
      if (!isFound) terms.push(await this.priced(run, { term, renewal: false }, 0n));
    }
    return {
      account: folded,
      terms: await this.withAddons(run, terms),
      ...(await this.loadContext(run)),
    };
  }

  /** Loads the inputs of a credit's sale: it depends neither on the account nor on terms. */
  async loadSale(run: RunIdentity): Promise<RunData> {
    return { account: account.initial(), terms: [], ...(await this.loadContext(run)) };
  }

  /** Loads everything as it was when an invoice was computed: the streams up to the recorded revisions. */
  async loadRecorded(run: RunIdentity, inputs: RunInputs): Promise<RunData> {
    const folded = await this.accountAt(
      run,
      inputs.accountRevision === null ? -1n : BigInt(inputs.accountRevision),
    );
    const terms = await Promise.all(
      inputs.terms.map((input) =>
        this.term(run, input.subscriptionId, {
          subscription: BigInt(input.revision),
          plan: BigInt(input.planRevision),
        }),
      ),
    );
    return {
      account: folded,
      terms: await this.withAddons(
        run.org,
        terms.flatMap((term) => term?.runTerm ?? []),
      ),
      ...(await this.loadContext(run, BigInt(inputs.organizationRevision), BigInt(inputs.customerRevision))),
      policy: inputs.policy,
    };
  }

  /** Loads a term at a revision of its stream; undefined where the stream has no such revision. */
  async termAt(org: Uuid, subscriptionId: Uuid, revision: bigint): Promise<RunTerm | undefined> {
    const read = await this.subscriptions.load(org, subscriptionId, revision);
    return read?.revision === revision ? this.priced(org, read.state, revision) : undefined;
  }

  /** Adds the add-ons of terms as members of a run. */
  async withAddons(scope: ReadScope, terms: readonly RunTerm[]): Promise<RunTerm[]> {
    const members: RunTerm[] = [];
    for (const runTerm of terms) {
      members.push(runTerm);
      for (const addon of addonsOf(runTerm.term)) {
        const sold = await this.addons.load(scope, addon.addonId);
        if (!sold)
          throw new Error(`add-on ${addon.addonId} of term ${runTerm.term.subscriptionId} is unknown`);
        members.push(addonMember(runTerm, addon, sold.version.content));
      }
    }
    return members;
  }

  /** Loads the account from its full history. */
  async loadFullHistory({
    org,
    customerKey,
    currency,
  }: Pick<RunData, 'org' | 'customerKey' | 'currency'>): Promise<AccountState> {
    const stream = streamName('account', org, accountId(customerKey, currency));
    return (await foldStream(this.store, stream, accountWithFullHistory)).state;
  }

  private accountNow({ org, session, account: { customerKey, currency } }: RunIdentity) {
    const stream = streamName('account', org, accountId(customerKey, currency));
    return readState(this.store, stream, account, undefined, session);
  }

  /** @param upTo the account's own count of its events: revisions of its stream are higher where others wrote to it */
  private async accountAt({ org, account: { customerKey, currency } }: RunIdentity, upTo: bigint) {
    const stream = streamName('account', org, accountId(customerKey, currency));
    let { state } = await readState(this.store, stream, account, upTo);
    if (upTo < 0n || state.revision >= Number(upTo)) return state;
    for await (const event of this.store.readStream(stream, { from: upTo + 1n })) {
      state = account.evolve(state, event as unknown as AccountEvent);
      if (state.revision === Number(upTo)) break;
    }
    return state;
  }

  private async loadContext(
    { org, session, account: { customerKey, currency }, runId, asOf }: RunIdentity,
    organizationUpTo?: bigint,
    customerUpTo?: bigint,
  ): Promise<Omit<RunData, 'account' | 'terms'>> {
    const [organization, customer] = await Promise.all([
      this.organizations.load({ org, session }, organizationUpTo),
      this.customers.load({ org, session }, customerKey, customerUpTo),
    ]);
    if (!organization || !customer) throw new Error(`account ${customerKey} has no organization or customer`);
    return {
      org,
      runId,
      invoiceId: derivedId(runId, 'invoice'),
      asOf,
      customerKey,
      currency,
      organization: { settings: organization.settings, revision: organization.revision.toString() },
      customer: { taxRate: customer.state.taxRate, revision: customer.revision.toString() },
      policy: POLICY,
    };
  }

  /** Loads the terms and their successors. */
  private async termsAndSuccessors(run: RunIdentity, ids: readonly Uuid[]): Promise<RunTerm[]> {
    const found = new Map<Uuid, RunTerm>();
    let wanted = [...new Set(ids)];
    while (wanted.length > 0) {
      const read = await Promise.all(wanted.map((id) => this.term(run, id)));
      for (const term of read) if (term) found.set(term.runTerm.term.subscriptionId, term.runTerm);
      wanted = read.flatMap((term) =>
        term?.successor && !found.has(term.successor) ? [term.successor] : [],
      );
    }
    return [...found.values()].filter((term) => term.term.basis.currency === run.account.currency);
  }

  private async term(
    run: RunIdentity,
    subscriptionId: Uuid,
    upTo?: { readonly subscription: bigint; readonly plan: bigint },
  ): Promise<{ runTerm: RunTerm; successor: Uuid | null } | undefined> {
    const read = await this.subscriptions.load(run, subscriptionId, upTo?.subscription);
    if (!read) return undefined;
    const runTerm = await this.priced(run, read.state, read.revision, upTo?.plan);
    return { successor: read.state.successor, runTerm };
  }

  /**
   * Loads the prices of a term, and the plan's name of today or of a revision.
   */
  async priced(
    scope: ReadScope,
    termWithChanges: TermWithChanges,
    revision: bigint,
    planUpTo?: bigint,
  ): Promise<RunTerm> {
    const { term, renewal } = termWithChanges;
    const { planId, versionId, contentHash } = term.basis;
    const plan = await this.plans.versionOf(scope, planId, versionId, planUpTo);
    if (!plan) throw new Error(`term ${term.subscriptionId} has no plan version ${versionId}`);
    const { content, number } = plan.version;
    return {
      renewal,
      cut: null,
      revision: revision.toString(),
      content,
      contentHash,
      planRevision: plan.revision.toString(),
      planName: plan.planName,
      versionNumber: number === 'custom_version' ? 0 : number,
      ...changesOf(termWithChanges),
    };
  }
}

/** A term with its changes so far. */
type TermWithChanges = Pick<Subscription, 'term' | 'renewal'> & Partial<Subscription>;

const changesOf = ({ term, endMoved, cancelled, switched, prepaidChanges }: TermWithChanges) => ({
  term,
  endMoved,
  prepaidChanges,
  ...(cancelled ? { cut: 'cancelled' as const, cancelled } : {}),
  ...(switched ? { cut: 'switched' as const, switched } : {}),
});
