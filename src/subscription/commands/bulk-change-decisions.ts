import { Injectable } from '@nestjs/common';
import { DomainError } from '../../kernel/errors.js';
import { groupBy } from '../../kernel/iteration.js';
import { derivedId, type Uuid } from '../../kernel/ids.js';
import { latest, type Instant } from '../../kernel/instant.js';
import type { CommandContext } from '../../platform/eventsourcing/command-runner/command-context.js';
import { withLease } from '../../platform/eventsourcing/command-runner/append-events.js';
import { CommandRunner } from '../../platform/eventsourcing/command-runner/command-runner.js';
import { mapConcurrent } from '../../platform/concurrency/limits.js';
import { InvoiceDryRun, InvoicePreview } from '../billing-ports.js';
import { isInvoicedNow, type BulkChange, type RequestedChange } from '../domain/bulk-change.js';
import type { TermState } from '../domain/term-state.js';
import { PlanSwitches, startedSuccessor, type SwitchDryRun } from '../switch/switch-plan.js';
import { TermReader } from '../term-reader.js';
import { waitForTerm } from './wait-for-term.js';
import { commandOf, TERMS_AT_ONCE } from './bulk-change-executor.js';
import { TermDecisions } from './term-decisions.js';

/** Bulk change whose dry run succeeded and which is not recorded yet. */
export interface BulkDryRun {
  /** Ids of the terms that still run. */
  readonly subscriptionIds: readonly Uuid[];
  readonly change: BulkChange;
  /** Time of the last change of their accounts, for a request that may be older. */
  readonly notBefore?: Instant | undefined;
  /** Latest begin of the append, as it relies on reservations. */
  readonly appendUntil: CommandContext['appendUntil'];
}

/** Subscriptions before and after a change, and all their invoices. After a switch the new subscription is shown. */
export interface BulkPreview {
  readonly terms: readonly { readonly now: TermState; readonly then: TermState }[];
  readonly invoices: readonly object[];
}

/** Decision on a term that still runs. */
type Decided = SwitchDryRun & { readonly after: TermState };

type RequestedSwitch = Extract<RequestedChange, { type: 'SwitchPlan' }>;

/** Steps in which a switch of several terms differs from their change or cancellation. */
interface DecisionSteps {
  dryRun(context: CommandContext, id: Uuid): Promise<SwitchDryRun>;
  requireNoOverlap(org: Uuid, decided: readonly Decided[]): Promise<void>;
  /** @returns false when a term has ended meanwhile, and the change must be decided again */
  reserve(context: CommandContext, decided: readonly Decided[]): Promise<boolean>;
  /** Returns the change as it is recorded. */
  accepted(decided: readonly Decided[]): BulkChange;
}

/** Decides one change on several terms before anything is written. `BulkChangeExecutor` executes it. */
@Injectable()
export class BulkChangeDecisions {
  constructor(
    private readonly decisions: TermDecisions,
    private readonly switches: PlanSwitches,
    private readonly dryRuns: InvoiceDryRun,
    private readonly previews: InvoicePreview,
    private readonly subscriptions: TermReader,
    private readonly runner: CommandRunner,
  ) {}

  /** @throws DomainError when any of the terms refuses the change: then nothing changes */
  async dryRun(context: CommandContext, ids: readonly Uuid[], change: RequestedChange): Promise<BulkDryRun> {
    const steps = this.stepsOf(change);
    for (;;) {
      const decided = await this.decideEach(steps, context, ids);
      if (isInvoicedNow(change)) {
        for (const ofAccount of byAccount(decided)) await this.dryRuns.dryRun(context, ofAccount);
      }
      const { appendUntil } = withLease(context);
      if (await steps.reserve(context, decided)) {
        const subscriptionIds = decided.map(({ subscriptionId }) => subscriptionId);
        const notBefore = decided.map((one) => one.notBefore).reduce(later, undefined);
        return { subscriptionIds, change: steps.accepted(decided), notBefore, appendUntil };
      }
    }
  }

  /**
   * Previews a change: each subscription before and after it, and all invoices. Nothing is written.
   * @throws DomainError when the change would be refused
   */
  async preview(
    context: CommandContext,
    ids: readonly Uuid[],
    change: RequestedChange,
  ): Promise<BulkPreview> {
    const steps = this.stepsOf(change);
    const decided = await this.decideEach(steps, context, ids);
    await steps.requireNoOverlap(context.org, decided);
    const invoices: object[] = [];
    for (const ofAccount of byAccount(decided)) {
      const billed = isInvoicedNow(change) ? 'now' : 'next';
      invoices.push(...(await this.previews.preview(context, ofAccount, billed)).invoices);
    }
    const terms = decided.map(({ before, after }) => ({
      now: before,
      then: after.switched ? startedSuccessor(after) : after,
    }));
    return { terms, invoices };
  }

  /** Decides the change of each term; terms that are over are left out. */
  private async decideEach(
    steps: DecisionSteps,
    context: CommandContext,
    ids: readonly Uuid[],
  ): Promise<Decided[]> {
    const decided = await mapConcurrent(ids, TERMS_AT_ONCE, (id) => this.decideOne(steps, context, id));
    return decided.flatMap((one) => (one.after ? [{ ...one, after: one.after }] : []));
  }

  /** Decides the change of a term; the read model has a renewed one some moments before its stream begins. */
  private async decideOne(steps: DecisionSteps, context: CommandContext, id: Uuid): Promise<SwitchDryRun> {
    try {
      return await steps.dryRun(context, id);
    } catch (error) {
      if (!(error instanceof DomainError) || error.code !== 'resource_not_found') throw error;
      await waitForTerm(this.subscriptions, this.runner, context.org, id);
      return steps.dryRun(context, id);
    }
  }

  private stepsOf(change: RequestedChange): DecisionSteps {
    return change.type === 'SwitchPlan' ? this.switchSteps(change) : this.changeSteps(change);
  }

  private changeSteps(change: Exclude<RequestedChange, RequestedSwitch>): DecisionSteps {
    const command = commandOf(change);
    return {
      dryRun: async (context, id) => {
        const dryRun = await this.decisions.dryRun(context, id, command);
        return { ...dryRun, changed: dryRun.after ? [dryRun.after] : [] };
      },
      requireNoOverlap: (org, decided) => this.decisions.requireNoOverlap(org, ...decided),
      reserve: async ({ org }, decided) => {
        await this.decisions.reserve(org, ...decided);
        return true;
      },
      accepted: () => change,
    };
  }

  private switchSteps({ replacePlanId, ...change }: RequestedSwitch): DecisionSteps {
    return {
      dryRun: (context, id) => {
        const successorId = derivedId(context.commandId, `successor of ${id}`);
        const input = { ...change, to: { replacePlanId }, prepaidUnits: [], successorId };
        return this.switches.dryRun(context, id, { ...input, billedTogether: true });
      },
      requireNoOverlap: (org, decided) => this.switches.requireNoOverlap(org, ...decided),
      reserve: (context, decided) => this.switches.reserve(context, ...decided),
      accepted: (decided) => {
        const to = decided.map(({ subscriptionId, after }) => {
          const { subscriptionId: successorId, basis } = after.switched!.successor;
          return { subscriptionId, planId: basis.planId, versionId: basis.versionId, successorId };
        });
        return { ...change, to };
      },
    };
  }
}

const later = (a: Instant | undefined, b: Instant | undefined): Instant | undefined =>
  a === undefined || b === undefined ? (a ?? b) : latest(a, b);

/** Groups the changed terms of one customer by account: one run invoices an account. */
const byAccount = (decided: readonly Decided[]): Iterable<TermState[]> =>
  groupBy(
    decided.flatMap(({ changed }) => changed),
    ({ term }) => term.basis.currency,
  ).values();
