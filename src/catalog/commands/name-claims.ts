import { Injectable } from '@nestjs/common';
import { DomainError } from '../../kernel/errors.js';
import type { Uuid } from '../../kernel/ids.js';
import type { CommandContext } from '../../platform/eventsourcing/command-runner/command-context.js';
import { Claims } from '../../platform/eventsourcing/claims/claims.js';

export interface Name {
  readonly kind: 'plan_name' | 'addon_name' | 'metric_name' | 'feature_name';
  readonly text: string;
}

/** Names of plans, metrics and features are unique in a tenant. */
@Injectable()
export class NameClaims {
  constructor(private readonly claims: Claims) {}

  /**
   * Begins a stream of a new command under a name. Where the log is beside the claims, its append takes the name with it.
   * Whatever stands against that is no reason to refuse: the name is taken first then, and what is wrong found in turn.
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
    return this.holding(org, name, stream, () => begin(context));
  }

  /**
   * Begins a stream under a name, or gives it another. A beginning that is refused leaves the name to others; one whose
   * outcome is unknown keeps it for the repeat.
   * @throws DomainError `duplicate_resource`, and what `begin` throws
   */
  async holding<Result>(
    org: Uuid,
    { kind, text }: Name,
    stream: string,
    begin: () => Promise<Result>,
  ): Promise<Result> {
    const claims = [{ kind, key: text }];
    await this.claims.take(org, claims, stream, () => taken(kind, text));
    try {
      return await begin();
    } catch (error) {
      const refused = error instanceof DomainError && error.code !== 'conflict';
      if (refused) await this.claims.release(org, claims, stream);
      throw error;
    }
  }

  async release(org: Uuid, { kind, text }: Name, stream: string): Promise<void> {
    await this.claims.release(org, [{ kind, key: text }], stream);
  }
}

const taken = (kind: Name['kind'], text: string): DomainError =>
  new DomainError(
    'duplicate_resource',
    `A ${kind.replace('_name', '')} with the name "${text}" already exists.`,
  );
