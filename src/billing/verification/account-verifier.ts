import { Inject, Injectable } from '@nestjs/common';
import { canonicalJson } from '../../kernel/canonical-json.js';
import {
  comparePositions,
  type RecordedEvent,
  entityOf,
  orgOfStream,
  streamName,
} from '../../kernel/event.js';
import type { Uuid } from '../../kernel/ids.js';
import type { SettingsEvent } from '../../organization/domain/events.js';
import { organizationDecider, SETTINGS } from '../../organization/domain/organization.js';
import { EVENT_STORE, type EventStore } from '../../platform/eventsourcing/store/event-store.js';
import { isStoreDown } from '../../platform/eventsourcing/store/store-down.js';
import { UnreadableEvent } from '../../platform/eventsourcing/store/unreadable-event.js';
import { BillingRunLoader } from '../runs/billing-run-loader.js';
import { accountDecider } from '../decider/domain/account.js';
import {
  initialAccount,
  snapshotOf,
  type AccountSnapshot,
  type AccountState,
} from '../accounts/domain/account-state.js';
import type { AccountEvent } from '../accounts/domain/events.js';
import type { RunTerm } from '../rating/run.js';
import { termBillingStatuses } from '../rating/compute-invoice.js';
import { FIRST_PRICING_POLICY } from '../../pricing/pricing-policy.js';
import { schedulesOf } from '../rating/usage-needs.js';
import { differingTerms } from '../rating/verify.js';
import { AccountLedger } from './account-ledger.js';
import type { IssuedInvoice } from '../accounts/issued-invoice.js';

/** An issued invoice as its account's stream has it. */
export interface LoggedInvoice extends IssuedInvoice {
  readonly invoice_number: string;
  readonly resultHash: string;
}

export interface VerifiedAccount {
  readonly issued: readonly LoggedInvoice[];
  /** Differences in what the account records beside its invoices, as sentences. */
  readonly differences: readonly string[];
  /** The highest watermark that a count names. */
  readonly sealedUpTo: bigint;
}

type NothingDue = Extract<AccountEvent, { type: 'NothingDue' }>['data'];

/**
 * Reads an account from its first event. It lists the issued invoices, and checks the state that later runs depend on:
 * snapshots, billing statuses and voids must follow from the events before them. A term that is wrongly settled, or
 * wrongly never due, would not be billed again, and no invoice would show it.
 */
@Injectable()
export class AccountVerifier {
  constructor(
    @Inject(EVENT_STORE) private readonly store: EventStore,
    private readonly loader: BillingRunLoader,
  ) {}

  /** @param log a view of the log that other verifications share */
  begin(log: EventStore = this.store): (stream: string) => Promise<VerifiedAccount> {
    const loader = this.loader.withStore(log);
    return (stream) => verifyAccount(stream, { log, loader });
  }
}

interface VerificationContext {
  readonly log: EventStore;
  readonly loader: BillingRunLoader;
}

/** @throws UnreadableEvent */
async function verifyAccount(stream: string, context: VerificationContext): Promise<VerifiedAccount> {
  const issued: LoggedInvoice[] = [];
  const differences: string[] = [];
  const computed = new Map<Uuid, LoggedInvoice>();
  const [customerKey, currency] = entityOf(stream).split('.') as [Uuid, string];
  const ledger = new AccountLedger();
  let sealedUpTo = 0n;
  let state = initialAccount();
  for await (const recorded of context.log.readStream(stream)) {
    try {
      const event = recorded as unknown as AccountEvent;
      differences.push(...ledger.add(recorded));
      if (event.type === 'InvoiceComputed') {
        const { invoiceId, issuedAt, resultHash } = event.data;
        const of = { org: orgOfStream(stream), invoice_id: invoiceId, customer_key: customerKey, currency };
        const computedRevision = String(recorded.revision);
        const row = { ...of, issued_at: issuedAt, computed_revision: computedRevision };
        computed.set(invoiceId, { ...row, invoice_number: '', resultHash });
      } else if (event.type === 'InvoiceIssued') {
        const invoice = computed.get(event.data.invoiceId);
        if (invoice) issued.push({ ...invoice, invoice_number: event.data.number });
        else differences.push(`invoice ${event.data.invoiceId} was issued and never computed`);
      } else if (event.type === 'NothingDue') {
        differences.push(...(await differencesOfNothing(recorded, event.data, state, context)));
      } else if (event.type === 'AccountCarriedForward') {
        differences.push(
          ...differencesOfSnapshot(event.data, recorded.revision, snapshotOf(state, currency)),
        );
      } else if (event.type === 'UsagePeriodClosed') {
        const watermark = BigInt(event.data.sealedUpTo);
        if (watermark > sealedUpTo) sealedUpTo = watermark;
      }
      state = accountDecider.evolve(state, event);
    } catch (error) {
      const isNamed = error instanceof UnreadableEvent || isStoreDown(error);
      throw isNamed ? error : new UnreadableEvent(recorded, error);
    }
  }
  return { issued, differences, sealedUpTo };
}

/** Checks a snapshot, which every later run trusts. A snapshot of an older release may lack newer fields. */
function differencesOfSnapshot(stored: AccountSnapshot, revision: bigint, found: AccountSnapshot): string[] {
  const fields = Object.keys(stored) as (keyof AccountSnapshot)[];
  return fields
    .filter((field) => canonicalJson(stored[field] ?? null) !== canonicalJson(found[field] ?? null))
    .map(
      (field) => `snapshot at revision ${revision}: its ${field} are not what the events before it come to`,
    );
}

/** Checks a run that found nothing due: it records when each of its terms is billed next. */
async function differencesOfNothing(
  event: RecordedEvent,
  { runId, asOf, terms: stored, policy = FIRST_PRICING_POLICY }: NothingDue,
  { settled }: AccountState,
  { log, loader }: VerificationContext,
): Promise<string[]> {
  const org = orgOfStream(event.stream);
  const terms: RunTerm[] = [];
  const differences: string[] = [];
  for (const { subscriptionId, revision } of stored) {
    const term = await loader.termAt(org, subscriptionId, BigInt(revision));
    if (term) terms.push(term);
    else
      differences.push(
        `run ${runId} names revision ${revision} of term ${subscriptionId}, which there is not`,
      );
  }
  const members = await loader.withAddons(org, terms);
  const graces = await gracesAt(log, org, event);
  const found = graces.map((lateEventGraceMinutes) => {
    const settings = { taxRate: null, paymentGraceDays: null, lateEventGraceMinutes };
    const data = {
      asOf,
      terms: members,
      account: { ...initialAccount(), settled },
      organization: { settings, revision: '' },
      policy,
    };
    return differingTerms(stored, termBillingStatuses(schedulesOf(data), data));
  });
  if (found.some((differing) => differing.length === 0)) return differences;
  return [
    ...differences,
    ...(found[0] ?? []).map((difference) => `run ${runId} without invoice: ${difference}`),
  ];
}

/** A run reads the settings a moment before it is recorded, so it has not seen a change in between. */
const MOMENT_MS = 60_000;

/** Returns the late-event grace when an event was recorded, and the one before it if it was changed just then. */
async function gracesAt(log: EventStore, org: Uuid, event: RecordedEvent): Promise<number[]> {
  const graces: number[] = [];
  let state = organizationDecider.initial();
  let changedAt: string | undefined;
  for await (const recorded of log.readStream(streamName('organization', org, SETTINGS))) {
    if (comparePositions(recorded.position, event.position) > 0) break;
    const before = state?.lateEventGraceMinutes;
    state = organizationDecider.evolve(state, recorded as unknown as SettingsEvent);
    const now = state?.lateEventGraceMinutes;
    if (now === undefined || now === before) continue;
    changedAt = recorded.metadata.recordedAt;
    graces.unshift(now);
  }
  const isRecent =
    changedAt !== undefined && Date.parse(event.metadata.recordedAt) - Date.parse(changedAt) < MOMENT_MS;
  return graces.slice(0, isRecent ? 2 : 1);
}
