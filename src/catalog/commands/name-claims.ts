import { Inject, Injectable } from '@nestjs/common';
import { DomainError } from '../../kernel/errors.js';
import { kindName, type Uuid } from '../../kernel/ids.js';
import type { CommandContext } from '../../platform/eventsourcing/command-runner/command-context.js';
import type { Claim } from '../../platform/eventsourcing/claims/claim.js';
import { Claims, type ClaimRules } from '../../platform/eventsourcing/claims/claims.js';
import { EVENT_STORE, type EventStore, foldStream } from '../../platform/eventsourcing/store/event-store.js';
import { planDecider } from '../domain/plan.js';

export interface Name {
  readonly kind: 'plan_name' | 'addon_name' | 'metric_name' | 'feature_name';
  readonly text: string;
}

/** Names of plans, metrics and features are unique in a tenant. */
@Injectable()
export class NameClaims {
  readonly #rules: ClaimRules = {
    refusal: taken,
    isHeld: (claim, stream) => this.isHeld(claim, stream),
  };

  constructor(
    private readonly claims: Claims,
    @Inject(EVENT_STORE) private readonly store: EventStore,
  ) {}

  /**
   * Begins a stream under a name, for a new command. If log and claims share a database, the append takes the claim too.
   * If that append fails, the claim is taken first, as in `claim`, which then finds the reason.
   * @throws DomainError `duplicate_resource`, and what `begin` throws
   */
  async beginning<Result>(
    context: CommandContext,
    name: Name,
    stream: string,
    begin: (context: CommandContext) => Promise<Result>,
  ): Promise<Result> {
    const { org, isFirstDelivery } = context;
    if (isFirstDelivery && this.claims.goWithAppends) {
      try {
        return await begin({ claims: { org, claims: [{ kind: name.kind, key: name.text }] }, ...context });
      } catch (error) {
        if (!(error instanceof DomainError)) throw error;
      }
    }
    return this.holding(context, name, stream, begin);
  }

  /**
   * Takes the claim on a name, then begins or renames a stream, as `Claims.holding` does.
   * @throws DomainError `duplicate_resource`, and what `begin` throws
   */
  async holding<Result>(
    context: CommandContext,
    { kind, text }: Name,
    stream: string,
    begin: (leased: CommandContext) => Promise<Result>,
  ): Promise<Result> {
    return this.claims.holding(context, [{ kind, key: text }], stream, this.#rules, begin);
  }

  async release(org: Uuid, { kind, text }: Name, stream: string): Promise<void> {
    await this.claims.release(org, [{ kind, key: text }], stream);
  }

  /** Claims a name that a stream has, as `Claims.restore` does. */
  async restore(org: Uuid, { kind, text }: Name, stream: string): Promise<void> {
    await this.claims.restore(org, { kind, key: text }, stream, this.#rules);
  }

  /** Only plans are renamed or deleted. */
  private async isHeld({ kind, key }: Claim, stream: string): Promise<boolean> {
    if (kind !== 'plan_name') return true;
    const { state: plan } = await foldStream(this.store, stream, planDecider);
    return plan?.deletedAt === null && plan.name === key;
  }
}

const taken = ({ kind, key }: Claim): DomainError =>
  new DomainError(
    'duplicate_resource',
    `Another ${kindName(kind.replace('_name', ''))} has the name "${key}". Choose another name.`,
  );
