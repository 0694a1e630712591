import { ChangePayment } from '../../src/billing/invoices/change-payment.js';
import { GrantCredit } from '../../src/billing/credits/grant-credit.js';
import { VoidInvoice } from '../../src/billing/voids/void-invoice.js';
import { accountWithFullHistory } from '../../src/billing/decider/domain/account.js';
import { DeleteCustomer } from '../../src/customer/commands/delete-customer.js';
import { customerKeyOf, type Uuid } from '../../src/kernel/ids.js';
import { DAY, HOUR, plusMicros } from '../../src/kernel/instant.js';
import type { CommandContext } from '../../src/platform/eventsourcing/command-runner/command-context.js';
import { foldStream } from '../../src/platform/eventsourcing/store/event-store.js';
import { bodyHashOf } from '../../src/metering/domain/usage-event.js';
import { AttachAddon } from '../../src/subscription/commands/attach-addon.js';
import { CancelAddon } from '../../src/subscription/commands/cancel-addon.js';
import { CancelSubscription } from '../../src/subscription/commands/cancel-subscription.js';
import { ChangeByFilter } from '../../src/subscription/commands/change-by-filter.js';
import { ChangePrepaidUnits } from '../../src/subscription/commands/change-prepaid-units.js';
import { ChangeSubscription } from '../../src/subscription/commands/change-subscription.js';
import { CreateSubscription } from '../../src/subscription/commands/create-subscription.js';
import { SwitchPlan } from '../../src/subscription/switch/switch-plan.js';
import type { CancelTerms } from '../../src/subscription/domain/events.js';
import type { SimulatedProcess } from './process.js';
import { METRICS, type Shop } from './shop.js';
import { CURRENCY, type World } from './world.js';

/** A request: sent to any process, and sent again as it was until it is answered. */
export interface Act {
  readonly name: string;
  readonly commandId: Uuid;
  send(process: SimulatedProcess): Promise<unknown>;
}

/** What the acts of one seed can be. */
export interface Habits {
  readonly switches: boolean;
  /** Usage comes late, or cancellations bill none of it; of both together the oracle cannot know what is billed. */
  readonly usageIsLate: boolean;
  /** One customer may be deleted. */
  readonly deletes: boolean;
}

/** Something that somebody asks for at this moment. */
export async function someAct(world: World, shop: Shop, habits: Habits): Promise<Act> {
  const { random, now, org } = world;
  const commandId = world.newCommandId();
  const context: CommandContext = {
    ...{ org, commandId, correlationId: commandId, actor: 'client', receivedAt: now },
  };
  const act = (name: string, message: object): Act => ({
    ...{ name, commandId },
    send: (process) => process.execute(message),
  });
  const customerKey = random.pick(shop.customers);
  const planId = random.pick(shop.plans).planId;
  const running = [...(await world.terms()).values()].filter(
    ({ closedAt, term }) => closedAt === null && term.start <= now && now < term.end,
  );
  const id = running.length > 0 ? random.pick(running).term.subscriptionId : undefined;
  const invoicing = random.pick(['invoice_now', 'add_to_next_invoice'] as const);
  const terms: CancelTerms = {
    flatFee: random.pick([null, null, 'refund', 'charge_prorated', 'charge_full']),
    usage: habits.usageIsLate ? 'bill_full' : random.pick(['bill_full', 'bill_none']),
    invoicing,
  };
  switch (random.integer(0, 18)) {
    case 0:
    case 1:
    case 2: {
      const ahead = random.chance(0.2) ? BigInt(random.integer(1, 72)) * HOUR : 0n;
      const start = plusMicros(now, ahead);
      const asked = { customerKey, start, end: null, autoRenew: random.chance(0.8), isNew: true };
      const rest = { filters: [], metadata: {}, prepaidUnits: [], version: { planId } };
      return act('subscribe', new CreateSubscription(context, { ...asked, ...rest }));
    }
    case 3:
      return act('cancel', new CancelSubscription(context, id, terms));
    case 4:
    case 5: {
      const { metricId } = random.pick(METRICS);
      const change = { metricId, units: String(random.integer(0, 60)), invoiceNow: random.chance(0.5) };
      return act('change units', new ChangePrepaidUnits(context, { subscriptionId: id, ...change }));
    }
    case 6: {
      const end = plusMicros(now, BigInt(random.integer(0, 40)) * DAY + 1n);
      const changes = { turnOffAutoRenew: random.chance(0.5), ...(random.chance(0.5) ? { end } : {}) };
      return act('update', new ChangeSubscription(context, id, changes));
    }
    case 7: {
      const { addonId } = random.pick(shop.addons);
      const input = { addon: { addonId }, quantity: random.integer(1, 3), metadata: {} };
      return act('attach', new AttachAddon(context, id, input));
    }
    case 8:
      return act('cancel add-on', new CancelAddon(context, id, random.pick(shop.addons).addonId, terms));
    case 9:
    case 10: {
      if (!habits.switches) return useAct(world, customerKey, commandId, habits);
      const usage = random.pick(['transfer_to_new_subscription', 'keep_separate'] as const);
      const input = { to: { planId }, terms: { usage, invoicing }, prepaidUnits: [] };
      return act('switch', new SwitchPlan(context, id, input));
    }
    case 11:
    case 12: {
      const invoice = await openInvoice(world, customerKey);
      if (!invoice) return useAct(world, customerKey, commandId, habits);
      return random.chance(0.5)
        ? act('void', new VoidInvoice(context, invoice, random.chance(0.5)))
        : act('pay', new ChangePayment(context, invoice, { status: 'paid' }));
    }
    case 13: {
      const amount = { amount: String(random.integer(1, 5_000)), currency: CURRENCY, scale: 2 };
      const times = { effectiveAt: null, expiresAt: null };
      const credit = {
        customerKey,
        currency: CURRENCY,
        amount,
        description: null,
        ...times,
        amountPaid: null,
      };
      return act('grant', new GrantCredit(context, credit));
    }
    case 14: {
      const selection = { customerId: random.pick(shop.customerIds), filters: [] };
      const ofPlan = { ...selection, planId: random.chance(0.5) ? planId : undefined };
      return random.chance(0.5)
        ? act('cancel by filter', new ChangeByFilter(context, ofPlan, { type: 'CancelSubscription', terms }))
        : act(
            'update by filter',
            new ChangeByFilter(context, ofPlan, { type: 'ChangeTerm', changes: { turnOffAutoRenew: true } }),
          );
    }
    case 15:
      if (!habits.deletes || !random.chance(0.3)) return useAct(world, customerKey, commandId, habits);
      return act('delete', new DeleteCustomer(context, customerKeyOf(context.org, shop.customerIds[0]!)));
    default:
      return useAct(world, customerKey, commandId, habits);
  }
}

function useAct({ random, org, now }: World, customerKey: Uuid, id: Uuid, { usageIsLate }: Habits): Act {
  const ago = usageIsLate && random.chance(0.4) ? BigInt(random.integer(1, 29 * 24)) * HOUR : 0n;
  const properties = JSON.stringify({ n: random.integer(0, 400) / 10 });
  const eventName = random.pick(METRICS).name;
  const said = { idempotencyId: id, customerKey, eventName, time: plusMicros(now, -ago), properties };
  const event = { ...said, bodyHash: bodyHashOf(said) };
  const events = new Map([[event.idempotencyId, event]]);
  return { name: 'use', commandId: id, send: (process) => process.usage.append(org, now, events) };
}

async function openInvoice(world: World, customerKey: Uuid): Promise<Uuid | undefined> {
  const { state } = await foldStream(world.log, world.accountStream(customerKey), accountWithFullHistory);
  const open = [...state.invoices.values()].filter(({ status, number }) => status === 'unpaid' && number);
  return open.length > 0 ? world.random.pick(open).invoiceId : undefined;
}
