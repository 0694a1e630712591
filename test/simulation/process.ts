import 'reflect-metadata';
import type { CommandBus, QueryBus } from '@nestjs/cqrs';
import type { AccountLookup } from '../../src/billing/accounts/account-lookup.js';
import { BillingPolicies } from '../../src/billing/runs/billing-policies.js';
import { ChangePaymentHandler, ChangePayment } from '../../src/billing/invoices/change-payment.js';
import { BillingRunLoader } from '../../src/billing/runs/billing-run-loader.js';
import { GrantCredit, GrantCreditHandler } from '../../src/billing/credits/grant-credit.js';
import { InvoiceNumberAssigner, IssueInvoicePolicy } from '../../src/billing/numbering/issue-invoice.js';
import {
  RebillVoidedInvoice,
  VoidInvoice,
  VoidInvoiceHandler,
} from '../../src/billing/voids/void-invoice.js';
import { BillingDryRun, UsageCounter } from '../../src/billing/runs/compute-run.js';
import { RunBilling, RunBillingHandler } from '../../src/billing/runs/run-billing.js';
import { AccountTermBilling } from '../../src/billing/runs/term-billing.js';
import type { Parking } from '../../src/billing/parking/parking.js';
import { BillingSweep } from '../../src/billing/scheduler/billing-sweep.js';
import { AddonCatalog } from '../../src/catalog/addon-catalog.js';
import { PlanCatalog } from '../../src/catalog/plan-catalog.js';
import { FindMissingMetrics } from '../../src/catalog/queries/metrics.js';
import {
  DeleteCustomer,
  DeleteCustomerHandler,
  DryRunCustomerDeletion,
} from '../../src/customer/commands/delete-customer.js';
import { CustomerReader } from '../../src/customer/customer-directory.js';
import { OrganizationReader } from '../../src/organization/organization-reader.js';
import { CommandRunner } from '../../src/platform/eventsourcing/command-runner/command-runner.js';
import type { PolicyCheckpoint } from '../../src/platform/eventsourcing/policies/policy-checkpoint.js';
import { ReadModelCatchUp } from '../../src/platform/eventsourcing/read-model-catch-up.js';
import { PolicyWorker } from '../../src/platform/eventsourcing/policies/policy-worker.js';
import { Policies } from '../../src/platform/eventsourcing/policies/policies.js';
import { createLogger } from '../../src/platform/telemetry/logger.js';
import {
  AddonDryRuns,
  AttachAddon,
  AttachAddonHandler,
} from '../../src/subscription/commands/attach-addon.js';
import { BulkChangeDecisions } from '../../src/subscription/commands/bulk-change-decisions.js';
import { BulkChangeExecutor } from '../../src/subscription/commands/bulk-change-executor.js';
import { CancelAddon, CancelAddonHandler } from '../../src/subscription/commands/cancel-addon.js';
import {
  CancelSubscription,
  CancelSubscriptionHandler,
} from '../../src/subscription/commands/cancel-subscription.js';
import { ChangeByFilter, ChangeByFilterHandler } from '../../src/subscription/commands/change-by-filter.js';
import {
  ChangePrepaidUnits,
  ChangePrepaidUnitsHandler,
} from '../../src/subscription/commands/change-prepaid-units.js';
import {
  ChangeSubscription,
  ChangeSubscriptionHandler,
} from '../../src/subscription/commands/change-subscription.js';
import { CloseTerm, CloseTermHandler } from '../../src/subscription/commands/close-term.js';
import {
  CreateSubscription,
  CreateSubscriptionHandler,
} from '../../src/subscription/commands/create-subscription.js';
import {
  EndSubscriptionsOfCustomer,
  DryRunCustomerDeletionHandler,
} from '../../src/subscription/commands/end-subscriptions-of-customer.js';
import {
  CancelOrphanedSubscription,
  ExecuteBulkChange,
  StartSuccessor,
  UpdateReservation,
} from '../../src/subscription/commands/subscription-policies.js';
import { TermPricingLoader } from '../../src/subscription/commands/term-pricing-loader.js';
import {
  PlanSwitches,
  SwitchPlan,
  SwitchPlanHandler,
  SwitchTargets,
} from '../../src/subscription/switch/switch-plan.js';
import { TermDecisions } from '../../src/subscription/commands/term-decisions.js';
import { ReferenceCheck } from '../../src/subscription/queries/reference-check.js';
import { TermReader } from '../../src/subscription/term-reader.js';
import { Outside, TroubledStore, Uncountable } from './faults.js';
import type { ReservationsPort } from './in-memory-reservations.js';
import { DecidedTermsOfLog, OpenTerms } from './open-terms.js';
import type { UsagePort } from './in-memory-usage.js';
import type { World } from './world.js';

/** Types an in-memory driver as the class that handlers require. */
const standIn = <Real>(driver: Partial<Real>): Real => driver as Real;
/** Dependency that no simulated command calls, as commands refer to plans and not to their versions. */
const NOT_ASKED = {} as never;
const SILENT = createLogger('silent');

/** Process of the service: its handlers, workers and memory, over the stores that all processes share. */
export class SimulatedProcess {
  readonly outside: Outside;
  readonly usage: UsagePort;
  readonly loader: BillingRunLoader;
  readonly sweep: BillingSweep;
  readonly worker: PolicyWorker;
  readonly #handlers = new Map<unknown, { execute(message: never): Promise<unknown> }>();

  constructor(world: World, name: string) {
    const outside = (this.outside = new Outside(world.scheduler, world.faults, name));
    const store = new TroubledStore(world.log, outside);
    const clock = { now: async () => world.now };
    const bus = { execute: (message: object) => this.execute(message) };
    const commands = bus as unknown as CommandBus;
    const queries = bus as unknown as QueryBus;
    const usage = (this.usage = touching<UsagePort>(world.usage, outside));
    const reservations = touching<ReservationsPort>(world.reservations, outside) as never;

    const policies = new Policies();
    const runner = new CommandRunner(store, clock, policies, SILENT, () => outside.pause());
    const organizations = new OrganizationReader(store);
    const customers = new CustomerReader(store);
    const subscriptions = new TermReader(store);
    const plans = new PlanCatalog(store, NOT_ASKED, NOT_ASKED);
    const addons = new AddonCatalog(store, NOT_ASKED, NOT_ASKED);
    const loader = new BillingRunLoader(store, organizations, customers, subscriptions, plans, addons);
    this.loader = loader;
    const counted: Pick<UsagePort, 'countMany'> = {
      countMany: async (requests) => {
        outside.maybeFailToCount();
        return usage.countMany(requests);
      },
    };
    const counter = new UsageCounter(usage as never, counted as never, usage as never);
    const issuing = new IssueInvoicePolicy(policies, runner, new InvoiceNumberAssigner(runner));
    const dryRun = new BillingDryRun(loader, counter, issuing, clock);
    const termBilling = new AccountTermBilling(store);
    const pricing = new TermPricingLoader(organizations, customers, plans);
    const decided = new DecidedTermsOfLog(world, outside, subscriptions, policies, store);
    const decisions = new TermDecisions(runner, subscriptions, decided, reservations, termBilling, clock);
    const targets = new SwitchTargets(plans);
    const switches = new PlanSwitches(
      decisions,
      targets,
      subscriptions,
      reservations,
      runner,
      queries,
      clock,
    );
    const addonDryRuns = new AddonDryRuns(decisions, addons, plans);
    const bulk = new BulkChangeDecisions(decisions, switches, dryRun, NOT_ASKED, subscriptions, runner);
    const executor = new BulkChangeExecutor(switches, targets, runner, subscriptions, decisions);
    const terms = new OpenTerms(world, outside, commands, subscriptions, runner);
    const known = new ReferenceCheck(customers, plans);
    const accounts = standIn<AccountLookup>({ ofInvoice: async (_, name) => world.accountOf(name) });
    // A run whose usage cannot be counted is parked, and every sweep tries it again. Other errors are thrown.
    const park = (error: unknown) => {
      if (!(error instanceof Uncountable)) throw error;
      return undefined;
    };
    const parking = standIn<Parking>({ attempt: (_, act) => act().catch(park) });

    const words = { seal: async (_org: string, _customer: string, text: string) => `sealed ${text}` };
    const handlers: [unknown, { execute(message: never): Promise<unknown> }][] = [
      [RunBilling, new RunBillingHandler(loader, counter, runner, issuing, parking, clock)],
      [FindMissingMetrics, { execute: async () => new Set() }],
      [CloseTerm, new CloseTermHandler(runner, subscriptions, pricing)],
      [
        CreateSubscription,
        new CreateSubscriptionHandler(
          runner,
          pricing,
          reservations,
          subscriptions,
          decisions,
          queries,
          clock,
        ),
      ],
      [ChangeSubscription, new ChangeSubscriptionHandler(decisions)],
      [CancelSubscription, new CancelSubscriptionHandler(decisions, dryRun)],
      [
        ChangeByFilter,
        new ChangeByFilterHandler(known, terms, bulk, executor, customers, runner, decisions, clock),
      ],
      [DryRunCustomerDeletion, new DryRunCustomerDeletionHandler(terms, bulk, clock)],
      [DeleteCustomer, new DeleteCustomerHandler(runner, customers, queries)],
      [ChangePrepaidUnits, new ChangePrepaidUnitsHandler(decisions, queries, dryRun)],
      [SwitchPlan, new SwitchPlanHandler(switches, dryRun)],
      [AttachAddon, new AttachAddonHandler(addonDryRuns, decisions, dryRun)],
      [CancelAddon, new CancelAddonHandler(decisions, dryRun)],
      [VoidInvoice, new VoidInvoiceHandler(runner, accounts, subscriptions, store)],
      [ChangePayment, new ChangePaymentHandler(runner, accounts)],
      [GrantCredit, new GrantCreditHandler(runner, loader, customers, organizations, clock, words)],
    ];
    for (const [message, handler] of handlers) this.#handlers.set(message, handler);

    new StartSuccessor(policies, runner, subscriptions, reservations).onModuleInit();
    new UpdateReservation(policies, subscriptions, reservations).onModuleInit();
    new ExecuteBulkChange(policies, executor).onModuleInit();
    new EndSubscriptionsOfCustomer(policies, terms, executor, commands).onModuleInit();
    new CancelOrphanedSubscription(policies, customers, commands).onModuleInit();
    new BillingPolicies(policies, commands, subscriptions, parking, executor, clock).onModuleInit();
    issuing.onModuleInit();
    new RebillVoidedInvoice(policies, commands).onModuleInit();

    // Without a checkpoint, a process that starts handles every event again.
    const checkpoint = standIn<PolicyCheckpoint>({ load: async () => undefined });
    this.worker = new PolicyWorker(store, policies, checkpoint, SILENT);
    const catchUp = new ReadModelCatchUp(store, { waitFor: async () => true });
    this.sweep = new BillingSweep(
      touching(world.due, outside) as never,
      NOT_ASKED,
      commands,
      catchUp,
      parking,
      SILENT,
    );
  }

  execute(message: object): Promise<never> {
    const handler = this.#handlers.get(message.constructor);
    if (!handler) throw new Error(`nobody handles ${message.constructor.name}`);
    return handler.execute(message as never) as Promise<never>;
  }
}

/** Wraps a shared port: each call waits for the scheduler, and the caller can die before the answer. */
function touching<Port extends object>(shared: Port, outside: Outside): Port {
  return new Proxy(shared, {
    get: (target, name) => {
      const method = (target as Record<PropertyKey, unknown>)[name];
      if (typeof method !== 'function') return method;
      if (method.constructor.name === 'AsyncGeneratorFunction') {
        return async function* (...args: unknown[]) {
          await outside.touch(String(name));
          yield* method.apply(target, args) as AsyncGenerator;
        };
      }
      return async (...args: unknown[]) => {
        await outside.touch(String(name));
        const answer: unknown = await method.apply(target, args);
        outside.maybeDie();
        return answer;
      };
    },
  });
}
