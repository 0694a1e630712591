import { accountWithFullHistory } from '../../src/billing/decider/domain/account.js';
import type { AccountEvent } from '../../src/billing/accounts/domain/events.js';
import type { ComputedInvoice, ClosedUsagePeriod } from '../../src/billing/accounts/domain/event-data.js';
import { addonMember } from '../../src/billing/rating/run-terms.js';
import { computeInvoice } from '../../src/billing/rating/compute-invoice.js';
import type { RunTerm } from '../../src/billing/rating/run.js';
import { usageBasisOf } from '../../src/billing/rating/usage-windows.js';
import { verifyInvoice } from '../../src/billing/rating/verify.js';
import { contentHash } from '../../src/kernel/canonical-json.js';
import { type RecordedEvent, categoryOf } from '../../src/kernel/event.js';
import type { Uuid } from '../../src/kernel/ids.js';
import type { Instant } from '../../src/kernel/instant.js';
import { overlaps, reservationOf } from '../../src/subscription/domain/overlap-reservation.js';
import type { TermState } from '../../src/subscription/domain/term-state.js';
import { addonsOf } from '../../src/subscription/domain/term-periods.js';
import { costOf } from '../properties/billing-oracle.js';
import { costOfSwitched } from '../properties/switch-oracle.js';
import { runTermOf } from '../support/engine/engine-terms.js';
import { METRICS, type Shop } from './shop.js';
import type { Request } from './simulation.js';
import type { World } from './world.js';

interface AtRest {
  readonly world: World;
  readonly shop: Shop;
  readonly events: readonly RecordedEvent[];
  /** Events of all accounts, in the order of the log. */
  readonly accountEvents: readonly AccountEvent[];
  readonly voided: ReadonlySet<Uuid>;
}

/** Checks every invariant of a world at rest. Returns a sentence for each one that is broken. */
export async function findBroken(
  world: World,
  shop: Shop,
  acknowledged: readonly Request[],
): Promise<string[]> {
  const events = await world.events();
  const accountEvents = events
    .filter(({ stream }) => categoryOf(stream) === 'account')
    .map((event) => event as unknown as AccountEvent);
  const voided = new Set(
    accountEvents.flatMap((e) => (e.type === 'InvoiceVoided' ? [e.data.invoiceId] : [])),
  );
  const atRest = { world, shop, events, accountEvents, voided };
  return [
    ...lost(atRest, acknowledged),
    ...numbers(atRest),
    ...balances(atRest),
    ...(await overlappingTerms(atRest)),
    ...(await successors(atRest)),
    ...(await unverified(atRest)),
    ...(await notConserved(atRest)),
  ];
}

/** Returns the answered requests that are neither in the event log nor in the usage log. */
function lost({ events, world }: AtRest, acknowledged: readonly Request[]): string[] {
  const commands = new Set(events.map(({ metadata }) => metadata.commandId));
  const used = new Set(world.usage.all(world.org).map(({ idempotencyId }) => idempotencyId));
  return acknowledged
    .filter(({ name, commandId }) => (name === 'use' ? !used.has(commandId) : !commands.has(commandId)))
    .filter(({ name }) => !MAY_CHANGE_NOTHING.has(name))
    .map(({ name, commandId }) => `the answered request to ${name} (${commandId}) left nothing`);
}

const MAY_CHANGE_NOTHING = new Set(['change units', 'update', 'pay', 'cancel by filter', 'delete']);

/** Checks that the invoice numbers of a day are 1, 2, 3 …, each assigned to one invoice and issued with it. */
function numbers({ accountEvents, events }: AtRest): string[] {
  const broken: string[] = [];
  const issued = new Map<Uuid, string>();
  for (const event of accountEvents) {
    if (event.type !== 'InvoiceIssued') continue;
    if (issued.has(event.data.invoiceId)) broken.push(`invoice ${event.data.invoiceId} was issued twice`);
    issued.set(event.data.invoiceId, event.data.number);
  }
  for (const invoice of invoicesOf(accountEvents)) {
    const number = issued.get(invoice.invoiceId);
    const day = invoice.issuedAt.slice(2, 10).replaceAll('-', '');
    if (!number?.startsWith(`${day}-`))
      broken.push(`invoice ${invoice.invoiceId} of ${day} has number ${number}`);
  }
  const bySeries = new Map<string, string[]>();
  for (const { stream, data } of events.filter(({ type }) => type === 'NumbersAssigned')) {
    const { assignments } = data as { assignments: { number: string }[] };
    bySeries.set(stream, [...(bySeries.get(stream) ?? []), ...assignments.map(({ number }) => number)]);
  }
  for (const [stream, list] of bySeries) {
    const wanted = list.map((_, index) => String(index + 1).padStart(6, '0'));
    if (list.some((number, index) => !number.endsWith(`-${wanted[index]}`)))
      broken.push(`gap in ${stream}: ${list}`);
  }
  const taken = [...issued.values()];
  if (new Set(taken).size !== taken.length) broken.push('a number was given twice');
  return broken;
}

/** Checks that no credit or due amount is negative, and that due minus held is charged minus granted and paid. */
function balances({ accountEvents, voided }: AtRest): string[] {
  const byAccount = new Map<string, AccountEvent[]>();
  const keyOf = new Map<Uuid, string>();
  for (const event of accountEvents) {
    if (event.type === 'InvoiceComputed') keyOf.set(event.data.invoiceId, event.data.customerKey);
    if (event.type === 'CreditGranted') keyOf.set(event.data.creditId, event.data.customerKey);
    const { customerKey, invoiceId, creditId } = event.data as Record<string, string>;
    const key = customerKey ?? keyOf.get(invoiceId ?? creditId ?? '');
    if (key !== undefined) byAccount.set(key, [...(byAccount.get(key) ?? []), event]);
  }
  return [...byAccount].flatMap(([key, own]) => {
    const state = own.reduce(accountWithFullHistory.evolve, accountWithFullHistory.initial());
    const held = [...state.credits.values()].map(({ remaining }) => remaining);
    const due = [...state.invoices.values()].map(({ costDue }) => costDue);
    const below = [...held, ...due].some((amount) => amount < 0n) ? [`account ${key} is below zero`] : [];
    const charged = invoicesOf(own)
      .filter(({ invoiceId }) => !voided.has(invoiceId))
      .flatMap(({ lines }) => lines)
      .filter(({ subscriptionId }) => subscriptionId !== null)
      .map(({ amount }) => BigInt(amount.amount));
    // A credit from a void returns what was charged before, so it is not a grant.
    const granted = own.flatMap((e) =>
      e.type === 'CreditGranted' && e.data.description === null ? [BigInt(e.data.amount.amount)] : [],
    );
    const paid = own.flatMap((e) => (e.type === 'InvoicePaid' ? [BigInt(e.data.amount.amount)] : []));
    const difference = sum(due) - sum(held) - (sum(charged) - sum(granted) - sum(paid));
    return difference === 0n ? below : [...below, `account ${key} is off by ${difference}`];
  });
}

async function overlappingTerms({ world }: AtRest): Promise<string[]> {
  const reserved = [...(await world.terms()).values()].map((state) => ({
    customerKey: state.term.customerKey,
    ...reservationOf(state.term),
    end: state.closedAt === null ? reservationOf(state.term).end : state.term.end,
  }));
  return reserved.flatMap((a, n) =>
    reserved
      .slice(n + 1)
      .filter((b) => a.customerKey === b.customerKey && overlaps(a, b))
      .map((b) => `terms ${a.subscriptionId} and ${b.subscriptionId} overlap`),
  );
}

/** Checks that no open term is past its end, and that every decided successor has begun. */
async function successors({ world }: AtRest): Promise<string[]> {
  const terms = await world.terms();
  return [...terms.values()].flatMap(({ term, closedAt, successor }) => [
    ...(closedAt === null && term.end <= world.now ? [`term ${term.subscriptionId} is past its end`] : []),
    ...(successor !== null && !terms.has(successor) ? [`successor ${successor} has not begun`] : []),
  ]);
}

/** Computes every invoice again, from the log and a new count of its usage. Returns the differences. */
async function unverified({ world, accountEvents }: AtRest): Promise<string[]> {
  const { process } = world.process(0);
  const closes = new Map<Uuid, ClosedUsagePeriod>();
  for (const event of accountEvents)
    if (event.type === 'UsagePeriodClosed') closes.set(event.data.closeId, event.data);
  const broken: string[] = [];
  const all = (async () => {
    for (const stored of invoicesOf(accountEvents)) {
      const { customerKey, currency, runId, inputs, asOf } = stored;
      const run = { org: world.org, account: { customerKey, currency }, runId, asOf };
      const data = await process.loader.loadRecorded(run, inputs);
      const counted = inputs.closeIds.map((closeId) => closes.get(closeId)!);
      broken.push(...(await miscounted(world, counted, data.terms)));
      const { differences } = verifyInvoice(stored, computeInvoice(data, counted));
      broken.push(...differences.map((difference) => `invoice ${stored.invoiceId}: ${difference}`));
    }
  })();
  await world.scheduler.waitFor(all);
  return broken;
}

async function miscounted(
  { org, usage }: World,
  closes: readonly ClosedUsagePeriod[],
  terms: readonly RunTerm[],
): Promise<string[]> {
  const broken: string[] = [];
  for (const close of closes) {
    const owner = terms.find(({ term, addon, content }) => {
      const isIts = close.addonSubscriptionId
        ? addon?.addonSubscriptionId === close.addonSubscriptionId
        : !addon && term.subscriptionId === close.subscriptionId;
      return isIts && content.components.some(({ metricId }) => metricId === close.metricId);
    })!;
    const component = owner.content.components.find(({ metricId }) => metricId === close.metricId)!;
    const [again] = await usage.countMany([
      {
        org,
        customerKey: owner.term.customerKey,
        definition: component.metric,
        filters: owner.term.filters,
        window: close.window,
        sealedUpTo: BigInt(close.sealedUpTo),
        ...(close.period && { basis: usageBasisOf(component, close.period, owner.term) }),
      },
    ]);
    if (again!.quantity !== close.quantity || again!.digest !== close.digest) {
      broken.push(`close ${close.closeId} counted ${close.quantity}, and again ${again!.quantity}`);
    }
  }
  return broken;
}

/**
 * Compares what was billed for every subscription and add-on with the oracle, which computes the cost from plans, commands
 * and usage in a naive way (test/properties/billing-oracle.ts).
 */
async function notConserved({ world, shop, accountEvents, voided }: AtRest): Promise<string[]> {
  const lines = invoicesOf(accountEvents)
    .filter(({ invoiceId }) => !voided.has(invoiceId))
    .flatMap((invoice) => invoice.lines);
  const billed = (ids: readonly Uuid[]): bigint =>
    sum(
      lines
        .filter((line) => line.subscriptionId && ids.some((id) => line.chargeKey.startsWith(`${id}/`)))
        .map(({ base }) => BigInt(base.amount)),
    );
  const metricOf = new Map(METRICS.map(({ name, metricId }) => [name, metricId]));
  const broken: string[] = [];
  const expectCost = (what: string, ids: readonly Uuid[], cost: bigint) => {
    const found = billed(ids);
    if (found !== cost) broken.push(`${what} ${ids} was billed ${found} instead of ${cost}`);
  };
  for (const chain of switchedTogether(await world.terms())) {
    const { customerKey } = chain[0]!.term;
    const usage = world.usage
      .all(world.org)
      .filter((event) => event.customerKey === customerKey)
      .map(({ time, eventName, properties }) => ({
        at: time,
        metricId: metricOf.get(eventName)!,
        n: String(properties['n']),
      }));
    const terms = chain.map((state) => {
      const { content } = shop.plans.find(({ planId }) => planId === state.term.basis.planId)!;
      return runTermOf(
        { state, name: 'A', version: { content, contentHash: contentHash(content) } as never },
        'A',
      );
    });
    const addons = terms.flatMap((own) =>
      addonsOf(own.term).map((addon) =>
        addonMember(own, addon, shop.addons.find(({ addonId }) => addonId === addon.addonId)!.content),
      ),
    );
    for (const addon of addons.filter((member) => isBilled(member, world.now)))
      expectCost('add-on', [addon.addon!.addonSubscriptionId], costOf(addon, usage).base);
    // The oracle does not know how much transferred usage an intermediate invoice of a former plan had billed.
    // Units bought before a switch that cover usage after it are tested in test/properties/whole-histories.
    const isKnown =
      terms.length === 1 ||
      (terms.at(-1)!.cancelled?.usage !== 'bill_none' &&
        !terms.some(({ term }) => term.basis.continues?.usage.some(({ covered }) => covered !== undefined)));
    if (isKnown && terms.every((term) => isBilled(term, world.now))) {
      const ids = terms.map(({ term }) => term.subscriptionId);
      expectCost('subscription', ids, costOfSwitched(terms, usage));
    }
  }
  return broken;
}

/** Groups terms that switches connect, in order. */
function switchedTogether(terms: ReadonlyMap<Uuid, TermState>): TermState[][] {
  const after = new Map(
    [...terms].flatMap(([id, { switched }]) =>
      switched ? [[id, switched.successor.subscriptionId] as const] : [],
    ),
  );
  const begun = new Set(after.values());
  const chainFrom = (id: Uuid): TermState[] => {
    const next = after.get(id);
    return [terms.get(id)!, ...(next === undefined ? [] : chainFrom(next))];
  };
  return [...terms.keys()].filter((id) => !begun.has(id)).map(chainFrom);
}

/** Returns whether everything of a term has been billed by now. */
function isBilled({ term, cancelled, switched }: RunTerm, now: Instant): boolean {
  // A term of zero length with `charge_full` keeps the fee that was charged at its start, and is charged no other.
  if (cancelled?.flatFee === 'charge_full' && term.start === term.end) return false;
  const last = [term.end, cancelled?.billedAt, switched?.billedAt, switched?.periodEnd];
  return last.every((at) => at === undefined || at <= now);
}

const invoicesOf = (events: readonly AccountEvent[]): ComputedInvoice[] =>
  events.flatMap((event) => (event.type === 'InvoiceComputed' ? [event.data] : []));

const sum = (amounts: readonly bigint[]): bigint => amounts.reduce((a, b) => a + b, 0n);
