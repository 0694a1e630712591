import fc from 'fast-check';
import { ChangePayment } from '../../src/billing/invoices/change-payment.js';
import { GrantCredit } from '../../src/billing/credits/grant-credit.js';
import { VoidInvoice } from '../../src/billing/voids/void-invoice.js';
import { DeleteCustomer } from '../../src/customer/commands/delete-customer.js';
import { DAY, HOUR, plusMicros } from '../../src/kernel/instant.js';
import { bodyHashOf } from '../../src/metering/domain/usage-event.js';
import type { CommandContext } from '../../src/platform/eventsourcing/command-runner/command-context.js';
import { AttachAddon } from '../../src/subscription/commands/attach-addon.js';
import { CancelAddon } from '../../src/subscription/commands/cancel-addon.js';
import { CancelSubscription } from '../../src/subscription/commands/cancel-subscription.js';
import { ChangeByFilter } from '../../src/subscription/commands/change-by-filter.js';
import { ChangePrepaidUnits } from '../../src/subscription/commands/change-prepaid-units.js';
import { ChangeSubscription } from '../../src/subscription/commands/change-subscription.js';
import { CreateSubscription } from '../../src/subscription/commands/create-subscription.js';
import { SwitchPlan } from '../../src/subscription/switch/switch-plan.js';
import { cancelTerms, switchTerms } from '../properties/command-arbitraries.js';
import { FAULTS, type Fault } from './faults.js';
import { CUSTOMER_IDS, METRICS } from './shop.js';
import type { Delivery, Request, Simulation } from './simulation.js';
import { CURRENCY, PROCESSES } from './world.js';

/**
 * Kind of the commands in a history. The first command with a kind excludes the other kind: the oracle does not know the
 * cost of late usage when the cancellation of the term left usage unbilled.
 */
interface Model {
  kind?: 'late usage' | 'unbilled usage' | undefined;
}

export type Command = fc.AsyncCommand<Model, Simulation>;

const command = (text: string, run: (simulation: Simulation) => unknown, kind?: Model['kind']): Command => ({
  check: (model) => kind === undefined || model.kind === undefined || model.kind === kind,
  run: async (model, simulation) => {
    model.kind ??= kind;
    await run(simulation);
  },
  toString: () => text,
});

const customer = fc.nat({ max: CUSTOMER_IDS.length - 1 });
const plan = fc.nat({ max: 2 });
const addon = fc.nat({ max: 1 });
const metric = fc.nat({ max: METRICS.length - 1 });
/** Index of a running term or an open invoice, modulo their number. */
const index = fc.nat({ max: 7 });
const process = fc.nat({ max: PROCESSES - 1 });

/** Deliveries of a request. Most callers repeat it until it is answered, some stop after three attempts at most. */
const deliveries: fc.Arbitrary<Delivery> = fc.record({
  process,
  attempts: fc.oneof(
    { weight: 4, arbitrary: fc.constant(20) },
    { weight: 1, arbitrary: fc.integer({ min: 1, max: 3 }) },
  ),
});

type Asked = Request['send'] | object | undefined;
type Ask<Values> = (
  values: Values,
  simulation: Simulation,
  context: CommandContext,
) => Asked | Promise<Asked>;

/**
 * Generates commands that send a request.
 * @param ask returns the command to send or a function that sends the request, or undefined when none is possible
 */
const request = <Values extends object>(
  name: string,
  values: fc.Arbitrary<Values>,
  ask: Ask<Values>,
  kindOf: (values: Values) => Model['kind'] = () => undefined,
): fc.Arbitrary<Command> =>
  fc.tuple(values, deliveries).map(([drawn, delivery]) => {
    const send = async (simulation: Simulation): Promise<void> => {
      const { org, now } = simulation.world;
      const commandId = simulation.world.newCommandId();
      const context = { org, commandId, correlationId: commandId, actor: 'client', receivedAt: now };
      const asked = await ask(drawn, simulation, context);
      if (asked === undefined) return;
      const perform: Request['send'] =
        typeof asked === 'function' ? (asked as Request['send']) : (one) => one.execute(asked);
      simulation.request({ name, commandId, send: perform }, delivery);
    };
    return command(`${name} ${fc.stringify({ ...drawn, ...delivery })}`, send, kindOf(drawn));
  });

const billsNone = ({ terms }: { readonly terms: { readonly usage: string } }) =>
  terms.usage === 'bill_none' ? 'unbilled usage' : undefined;

/** Lets time pass. At every due instant on the way, the schedulers of the given processes run. */
const passTime = (days: number, micros: number, schedulers: readonly number[]): Command =>
  command(`pass ${days} days ${micros} µs, schedulers in ${fc.stringify(schedulers)}`, (simulation) =>
    simulation.passTime(BigInt(days) * DAY + BigInt(micros), schedulers),
  );

/** Runs the scheduler of a process concurrently with the requests of this instant. */
const sweep = (one: number): Command => command(`scheduler in ${one}`, (simulation) => simulation.sweep(one));

/** Plans a fault after the given number of occasions for it. */
const planFault = (fault: Fault, occasions: number): Command =>
  command(`fault ${fault} after ${occasions}`, ({ world }) => world.faults.plan(fault, occasions));

const requests = {
  subscribe: request(
    'subscribe',
    fc.record({
      customer,
      plan,
      autoRenew: fc.constantFrom(true, true, true, true, false),
      hoursAhead: fc.oneof(
        { weight: 4, arbitrary: fc.constant(0) },
        { weight: 1, arbitrary: fc.integer({ min: 1, max: 72 }) },
      ),
    }),
    ({ customer: of, plan: to, hoursAhead, autoRenew }, { world, shop }, context) => {
      const start = plusMicros(world.now, BigInt(hoursAhead) * HOUR);
      return new CreateSubscription(context, {
        customerKey: world.customers[of]!,
        start,
        end: null,
        autoRenew,
        isNew: true,
        filters: [],
        metadata: {},
        prepaidUnits: [],
        version: { planId: shop.plans[to]!.planId },
      });
    },
  ),
  cancel: request(
    'cancel',
    fc.record({ index, terms: cancelTerms }),
    ({ index: of, terms }, simulation, context) =>
      simulation.onRunningTerm(of, (id) => new CancelSubscription(context, id, terms)),
    billsNone,
  ),
  changeUnits: request(
    'change units',
    fc.record({ index, metric, units: fc.nat({ max: 60 }).map(String), invoiceNow: fc.boolean() }),
    ({ index: of, metric: counted, ...change }, simulation, context) =>
      simulation.onRunningTerm(of, (subscriptionId) => {
        const { metricId } = METRICS[counted]!;
        return new ChangePrepaidUnits(context, { subscriptionId, metricId, ...change });
      }),
  ),
  update: request(
    'update',
    fc.record({
      index,
      turnOffAutoRenew: fc.boolean(),
      endsInDays: fc.option(fc.nat({ max: 40 }), { freq: 2 }),
    }),
    ({ index: of, turnOffAutoRenew, endsInDays }, simulation, context) =>
      simulation.onRunningTerm(of, (id) => {
        const end = plusMicros(simulation.world.now, BigInt(endsInDays ?? 0) * DAY + 1n);
        const changes = { turnOffAutoRenew, ...(endsInDays !== null && { end }) };
        return new ChangeSubscription(context, id, changes);
      }),
  ),
  attach: request(
    'attach',
    fc.record({ index, addon, quantity: fc.integer({ min: 1, max: 3 }) }),
    ({ index: of, addon: sold, quantity }, simulation, context) =>
      simulation.onRunningTerm(of, (id) => {
        const { addonId } = simulation.shop.addons[sold]!;
        return new AttachAddon(context, id, { addon: { addonId }, quantity, metadata: {} });
      }),
  ),
  cancelAddon: request(
    'cancel add-on',
    fc.record({ index, addon, terms: cancelTerms }),
    ({ index: of, addon: sold, terms }, simulation, context) =>
      simulation.onRunningTerm(
        of,
        (id) => new CancelAddon(context, id, simulation.shop.addons[sold]!.addonId, terms),
      ),
    billsNone,
  ),
  switchPlan: request(
    'switch',
    fc.record({ index, plan, terms: switchTerms }),
    ({ index: of, plan: to, terms }, simulation, context) =>
      simulation.onRunningTerm(of, (id) => {
        const { planId } = simulation.shop.plans[to]!;
        return new SwitchPlan(context, id, { to: { planId }, terms, prepaidUnits: [] });
      }),
  ),
  voidInvoice: request(
    'void',
    fc.record({ customer, index, rebill: fc.boolean() }),
    ({ customer: of, index: open, rebill }, simulation, context) =>
      simulation.onOpenInvoice(of, open, (id) => new VoidInvoice(context, id, rebill)),
  ),
  pay: request('pay', fc.record({ customer, index }), ({ customer: of, index: open }, simulation, context) =>
    simulation.onOpenInvoice(of, open, (id) => new ChangePayment(context, id, { status: 'paid' })),
  ),
  grant: request(
    'grant',
    fc.record({ customer, cents: fc.integer({ min: 1, max: 5_000 }) }),
    ({ customer: of, cents }, { world }, context) =>
      new GrantCredit(context, {
        customerKey: world.customers[of]!,
        currency: CURRENCY,
        description: null,
        amount: { amount: String(cents), currency: CURRENCY, scale: 2 },
        effectiveAt: null,
        expiresAt: null,
        amountPaid: null,
      }),
  ),
  cancelByFilter: request(
    'cancel by filter',
    fc.record({ customer, plan: fc.option(plan, { freq: 2 }), terms: cancelTerms }),
    ({ terms, ...selected }, simulation, context) =>
      new ChangeByFilter(context, simulation.selection(selected), { type: 'CancelSubscription', terms }),
    billsNone,
  ),
  updateByFilter: request(
    'update by filter',
    fc.record({ customer, plan: fc.option(plan, { freq: 2 }) }),
    (selected, simulation, context) =>
      new ChangeByFilter(context, simulation.selection(selected), {
        type: 'ChangeTerm',
        changes: { turnOffAutoRenew: true },
      }),
  ),
  deleteCustomer: request(
    'delete',
    fc.record({ customer: fc.constant(0) }),
    ({ customer: of }, { world }, context) => new DeleteCustomer(context, world.customers[of]!),
  ),
  use: request(
    'use',
    fc.record({
      customer,
      metric,
      tenths: fc.nat({ max: 400 }),
      hoursAgo: fc.oneof(
        { weight: 4, arbitrary: fc.constant(0) },
        { weight: 1, arbitrary: fc.integer({ min: 1, max: 29 * 24 }) },
      ),
    }),
    ({ customer: of, metric: used, tenths, hoursAgo }, { world }, { org, commandId }) => {
      const { now } = world;
      const said = {
        idempotencyId: commandId,
        customerKey: world.customers[of]!,
        eventName: METRICS[used]!.name,
        time: plusMicros(now, -BigInt(hoursAgo) * HOUR),
        properties: JSON.stringify({ n: tenths / 10 }),
      };
      const events = new Map([[commandId, { ...said, bodyHash: bodyHashOf(said) }]]);
      return (one: Parameters<Request['send']>[0]) => one.usage.append(org, now, events);
    },
    ({ hoursAgo }) => (hoursAgo > 0 ? 'late usage' : undefined),
  ),
};

const faults = fc
  .constantFrom(...(Object.keys(FAULTS) as Fault[]))
  .chain((fault) => fc.nat({ max: FAULTS[fault] }).map((occasions) => planFault(fault, occasions)));

const passages = fc
  .tuple(fc.nat({ max: 20 }), fc.integer({ min: 1, max: 86_400_000 }), fc.array(process, { maxLength: 2 }))
  .map((drawn) => passTime(...drawn));

const weighted = (weight: number, arbitrary: fc.Arbitrary<Command>) => ({ weight, arbitrary });

/** Generates histories of commands: requests of customers, runs of schedulers, passing time and faults. */
export const histories = (replayPath?: string) =>
  fc.commands(
    [
      fc.oneof(
        weighted(36, requests.use),
        weighted(24, requests.subscribe),
        weighted(16, requests.changeUnits),
        ...(
          ['cancel', 'update', 'attach', 'cancelAddon', 'switchPlan', 'voidInvoice', 'pay', 'grant'] as const
        ).map((name) => weighted(8, requests[name])),
        weighted(4, requests.cancelByFilter),
        weighted(4, requests.updateByFilter),
        weighted(1, requests.deleteCustomer),
        weighted(60, passages),
        weighted(26, process.map(sweep)),
        weighted(20, faults),
      ),
    ],
    { maxCommands: 96, size: 'max', ...(replayPath !== undefined && { replayPath }) },
  );
