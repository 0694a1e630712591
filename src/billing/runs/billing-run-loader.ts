import { Inject, Injectable } from '@nestjs/common';
import { AddonCatalog } from '../../catalog/addon-catalog.js';
import { PlanCatalog, type CatalogVersion } from '../../catalog/plan-catalog.js';
import { CustomerReader } from '../../customer/customer-directory.js';
import { derivedId, type Uuid } from '../../kernel/ids.js';
import { latest, type Instant } from '../../kernel/instant.js';
import { streamName } from '../../kernel/event.js';
import { OrganizationReader } from '../../organization/organization-reader.js';
import { forEachConcurrent } from '../../platform/concurrency/limits.js';
import type {
  CommandContext,
  CommandSession,
  ReadScope,
} from '../../platform/eventsourcing/command-runner/command-context.js';
import { readState } from '../../platform/eventsourcing/command-runner/stream-state-cache.js';
import { EVENT_STORE, type EventStore } from '../../platform/eventsourcing/store/event-store.js';
import type { TermState } from '../../subscription/domain/term-state.js';
import { TermReader } from '../../subscription/term-reader.js';
import { accountDecider, accountId } from '../decider/domain/account.js';
import type { AccountState } from '../accounts/domain/account-state.js';
import type { AccountEvent } from '../accounts/domain/events.js';
import type { RunInputs } from '../accounts/domain/event-data.js';
import { recordedMembers, recordedRun, type RecordedStreams } from '../rating/recorded-run.js';
import { findRun } from './find-run.js';
import type { RunData, RunTerm } from '../rating/run.js';
import {
  deferredToBulkRun,
  membersOf,
  runTermOf,
  termChangesOf,
  type TermWithChanges,
} from '../rating/run-terms.js';
import type { BillableAccount } from '../accounts/domain/account-state.js';
import { PRICING_POLICY } from '../../pricing/pricing-policy.js';

interface RunIdentity {
  readonly org: Uuid;
  /** Session of the command that the run belongs to. */
  readonly session?: CommandSession | undefined;
  readonly account: BillableAccount;
  readonly runId: Uuid;
  readonly asOf: Instant;
  /** The account as a command would leave it; default: as the log has it. */
  readonly accountAfter?: AccountState | undefined;
}

/** Number of terms of a page that are read concurrently. */
const TERMS_AT_ONCE = 8;

/** Loads the inputs of a billing run (`RunData`). */
@Injectable()
export class BillingRunLoader {
  constructor(
    @Inject(EVENT_STORE) private readonly store: EventStore,
    private readonly organizations: OrganizationReader,
    private readonly customers: CustomerReader,
    private readonly subscriptions: TermReader,
    private readonly plans: PlanCatalog,
    private readonly addons: AddonCatalog,
  ) {}

  /** Makes a loader that reads another view of the log. */
  withStore(store: EventStore): BillingRunLoader {
    return new BillingRunLoader(
      store,
      new OrganizationReader(store),
      new CustomerReader(store),
      new TermReader(store),
      this.plans.withStore(store),
      this.addons.withStore(store),
    );
  }

  /**
   * Loads everything as it is now.
   * @param newTerms terms that no run of the account has met yet
   * @param changed terms as a command would leave them, also one that it would begin
   * @param bulkRun terms that this run invoices as a bulk run
   */
  async load(
    identity: RunIdentity,
    newTerms: readonly Uuid[],
    changed: readonly TermState[] = [],
    bulkRun: readonly Uuid[] = [],
  ): Promise<RunData> {
    const { state, recordedAt } = await this.accountNow(identity);
    const accountState = identity.accountAfter ?? state;
    // A run is never computed before the last event of its account.
    const run = recordedAt ? { ...identity, asOf: latest(identity.asOf, recordedAt) } : identity;
    const known = [...accountState.terms.keys(), ...newTerms].filter((id) => !accountState.settled.has(id));
    const found = await this.termsAndSuccessors(run, known);
    const deferred = deferredToBulkRun(found, accountState, run.asOf, bulkRun);
    const own = found.filter(({ term }) => !deferred.has(term.subscriptionId));
    const changes = new Map(changed.map((after) => [after.term.subscriptionId, after]));
    const terms = own.map((runTerm) => {
      const after = changes.get(runTerm.term.subscriptionId);
      return after ? { ...runTerm, ...termChangesOf(after) } : runTerm;
    });
    const ownIds = new Set(own.map(({ term }) => term.subscriptionId));
    for (const after of changes.values())
      if (!ownIds.has(after.term.subscriptionId)) terms.push(await this.priced(run, after, 0n));
    return {
      account: accountState,
      terms: await this.withAddons(run, terms),
      ...(await this.loadContext(run)),
    };
  }

  /** Loads the inputs of a credit's sale: it depends neither on the account nor on terms. */
  async loadSale(run: RunIdentity): Promise<RunData> {
    return { account: accountDecider.initial(), terms: [], ...(await this.loadContext(run)) };
  }

  /** Loads everything as it was when an invoice was computed: the streams up to the recorded revisions. */
  loadRecorded(run: RunIdentity, inputs: RunInputs): Promise<RunData> {
    const streams: RecordedStreams = {
      stateAt: (stream, rules, upTo) => readState(this.store, stream, rules, upTo),
      accountAt: (stream, upTo) => this.accountAt(stream, upTo),
    };
    return recordedRun(streams, run, inputs);
  }

  /** Loads terms as a run read them, with their add-ons. */
  loadRecordedTerms(org: Uuid, inputs: RunInputs['terms']): Promise<RunTerm[]> {
    return recordedMembers(
      { stateAt: (stream, rules, upTo) => readState(this.store, stream, rules, upTo) },
      org,
      inputs,
    );
  }

  /** Loads a term at a revision of its stream; undefined where the stream has no such revision. */
  async termAt(org: Uuid, subscriptionId: Uuid, revision: bigint): Promise<RunTerm | undefined> {
    const read = await this.subscriptions.load(org, subscriptionId, revision);
    return read?.revision === revision ? this.priced(org, read.state, revision) : undefined;
  }

  /**
   * Loads terms at these revisions or later, with their add-ons; an unknown one is left out. What the process remembers is
   * not read again, as a page can be of hundreds of terms.
   */
  async loadTerms(
    org: Uuid,
    wanted: readonly { readonly subscriptionId: Uuid; readonly revision: bigint }[],
  ): Promise<RunTerm[]> {
    const terms = new Array<RunTerm | undefined>(wanted.length);
    await forEachConcurrent(
      wanted.entries(),
      TERMS_AT_ONCE,
      async ([index, { subscriptionId, revision }]) => {
        const read = await this.subscriptions.loadFrom(org, subscriptionId, revision);
        if (!read) return;
        const { planId, versionId } = read.state.term.basis;
        const plan = await this.plans.soldVersion(org, planId, versionId);
        terms[index] = pricedBy(plan, read.state, read.revision);
      },
    );
    const known = terms.flatMap((term) => term ?? []);
    return membersOf(known, (addonId) => this.addons.sold(org, addonId));
  }

  /** Adds the add-ons of terms as members of a run. */
  withAddons(scope: ReadScope, terms: readonly RunTerm[]): Promise<RunTerm[]> {
    return membersOf(terms, (addonId) => this.addons.load(scope, addonId));
  }

  /** Finds a run in the account's stream, among the events since its cause. */
  findRun(
    { org, customerKey, currency, runId }: Pick<RunData, 'org' | 'customerKey' | 'currency' | 'runId'>,
    cause: CommandContext,
  ) {
    const stream = streamName('account', org, accountId(customerKey, currency));
    return findRun(this.store, stream, runId, cause);
  }

  private accountNow({ org, session, account: { customerKey, currency } }: RunIdentity) {
    const stream = streamName('account', org, accountId(customerKey, currency));
    return readState(this.store, stream, accountDecider, undefined, session);
  }

  /** @param upTo the account's own count of its events: revisions of its stream are higher where others wrote to it */
  private async accountAt(stream: string, upTo: bigint) {
    let { state } = await readState(this.store, stream, accountDecider, upTo);
    if (upTo < 0n || state.revision >= Number(upTo)) return state;
    for await (const event of this.store.readStream(stream, { from: upTo + 1n })) {
      state = accountDecider.evolve(state, event as unknown as AccountEvent);
      if (state.revision === Number(upTo)) break;
    }
    return state;
  }

  private async loadContext({
    org,
    session,
    account: { customerKey, currency },
    runId,
    asOf,
  }: RunIdentity): Promise<Omit<RunData, 'account' | 'terms'>> {
    const [organization, customer] = await Promise.all([
      this.organizations.load({ org, session }),
      this.customers.load({ org, session }, customerKey),
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
      policy: PRICING_POLICY,
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
  ): Promise<{ runTerm: RunTerm; successor: Uuid | null } | undefined> {
    const read = await this.subscriptions.load(run, subscriptionId);
    if (!read) return undefined;
    const runTerm = await this.priced(run, read.state, read.revision);
    return { successor: read.state.successor, runTerm };
  }

  /** Loads the prices of a term, and the plan's name of today. */
  async priced(scope: ReadScope, changed: TermWithChanges, revision: bigint): Promise<RunTerm> {
    const { planId, versionId } = changed.term.basis;
    return pricedBy(await this.plans.versionOf(scope, planId, versionId), changed, revision);
  }
}

function pricedBy(plan: CatalogVersion | undefined, changed: TermWithChanges, revision: bigint): RunTerm {
  const { subscriptionId, basis } = changed.term;
  if (!plan) throw new Error(`term ${subscriptionId} has no plan version ${basis.versionId}`);
  return runTermOf(changed, revision, plan);
}
