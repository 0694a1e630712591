import { planDecider } from '../../catalog/domain/plan.js';
import { addonDecider } from '../../catalog/domain/addon.js';
import { customerDecider } from '../../customer/domain/customer.js';
import { type DomainEvent, streamName } from '../../kernel/event.js';
import { derivedId, type Uuid } from '../../kernel/ids.js';
import type { Instant } from '../../kernel/instant.js';
import { organizationDecider, SETTINGS } from '../../organization/domain/organization.js';
import { termDecider } from '../../subscription/domain/term-decider.js';
import type { AccountState } from '../accounts/domain/account-state.js';
import type { RunInputs } from '../accounts/domain/event-data.js';
import type { RunData, RunTerm } from './run.js';
import { membersOf, runTermOf } from './run-terms.js';

/** Rules that fold a stream. */
interface StreamRules<State, Event extends DomainEvent> {
  initial(): State;
  evolve(state: State, event: Event): State;
}

/** Streams as they were when an invoice was computed; the service reads them from its log, an auditor from a file. */
export interface RecordedStreams {
  /** @param upTo revision of the last event folded; without it all events are */
  stateAt<State, Event extends DomainEvent>(
    stream: string,
    rules: StreamRules<State, Event>,
    upTo?: bigint,
  ): Promise<{ readonly state: State; readonly revision: bigint | undefined }>;
  /** @param upTo the account's own count of its events; -1 before the first */
  accountAt(stream: string, upTo: bigint): Promise<AccountState>;
}

/** An account's run, by which its inputs are found. */
export interface RecordedRunIdentity {
  readonly org: Uuid;
  readonly account: { readonly customerKey: Uuid; readonly currency: string };
  readonly runId: Uuid;
  readonly asOf: Instant;
}

/** Loads the inputs of a run as it recorded them: each stream up to the revision that the invoice names. */
export async function recordedRun(
  streams: RecordedStreams,
  { org, account: { customerKey, currency }, runId, asOf }: RecordedRunIdentity,
  inputs: RunInputs,
): Promise<RunData> {
  const revision = inputs.accountRevision === null ? -1n : BigInt(inputs.accountRevision);
  const account = await streams.accountAt(streamName('account', org, `${customerKey}.${currency}`), revision);
  const terms = await recordedMembers(streams, org, inputs.terms);
  const settings = await streams.stateAt(
    streamName('organization', org, SETTINGS),
    organizationDecider,
    BigInt(inputs.organizationRevision),
  );
  const profile = await streams.stateAt(
    streamName('customer', org, customerKey),
    customerDecider,
    BigInt(inputs.customerRevision),
  );
  if (!settings.state || !profile.state) {
    throw new Error(`account ${customerKey} has no organization or customer`);
  }
  return {
    org,
    runId,
    invoiceId: derivedId(runId, 'invoice'),
    asOf,
    customerKey,
    currency,
    organization: { settings: settings.state, revision: String(settings.revision) },
    customer: { taxRate: profile.state.taxRate, revision: String(profile.revision) },
    account,
    terms,
    policy: inputs.policy,
  };
}

/** Loads terms as a run recorded them, with their add-ons. */
export async function recordedMembers(
  streams: Pick<RecordedStreams, 'stateAt'>,
  org: Uuid,
  inputs: RunInputs['terms'],
): Promise<RunTerm[]> {
  const terms = await Promise.all(inputs.map((input) => recordedTerm(streams, org, input)));
  return membersOf(
    terms.flatMap((term) => term ?? []),
    async (addonId) => (await streams.stateAt(streamName('addon', org, addonId), addonDecider)).state,
  );
}

async function recordedTerm(
  streams: Pick<RecordedStreams, 'stateAt'>,
  org: Uuid,
  { subscriptionId, revision, planRevision }: RunInputs['terms'][number],
): Promise<RunTerm | undefined> {
  const stream = streamName('subscription', org, subscriptionId);
  const read = await streams.stateAt(stream, termDecider, BigInt(revision));
  if (!read.state || read.revision === undefined) return undefined;
  const { planId, versionId } = read.state.term.basis;
  const plan = await streams.stateAt(streamName('plan', org, planId), planDecider, BigInt(planRevision));
  const version = plan.state?.versions.find((candidate) => candidate.versionId === versionId);
  if (!plan.state || !version || plan.revision === undefined) {
    throw new Error(`term ${subscriptionId} has no plan version ${versionId}`);
  }
  const priced = { revision: plan.revision, planName: plan.state.name, version };
  return runTermOf(read.state, read.revision, priced);
}
