import { Injectable } from '@nestjs/common';
import { DomainError } from '../../kernel/errors.js';
import { kindName, type Uuid } from '../../kernel/ids.js';
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
    return this.holding(org, name, stream, () => begin(context));
  }

  /**
   * Takes the claim on a name, then begins or renames a stream. If the command is refused, the claim is released; if its
   * outcome is unknown, the claim stays for the repeat.
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
    `Another ${kindName(kind.replace('_name', ''))} has the name "${text}". Choose another name.`,
  );
