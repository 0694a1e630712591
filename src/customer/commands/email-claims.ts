import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { DomainError } from '../../kernel/errors.js';
import { type RecordedEvent, entityOf, orgOfStream, streamName } from '../../kernel/event.js';
import type { Uuid } from '../../kernel/ids.js';
import type { Claim } from '../../platform/eventsourcing/claims/claim.js';
import { Claims, type ClaimRules } from '../../platform/eventsourcing/claims/claims.js';
import type { CommandContext } from '../../platform/eventsourcing/command-runner/command-context.js';
import { Policies, type Policy } from '../../platform/eventsourcing/policies/policies.js';
import { SealDamaged, Vault } from '../../platform/privacy/vault.js';
import { EVENT_STORE, type EventStore } from '../../platform/eventsourcing/store/event-store.js';
import { CustomerReader } from '../customer-directory.js';
import type { CustomerEvent } from '../domain/events.js';
import { normalizeEmail, type PersonalData } from '../domain/personal-data.js';

/** Keeps e-mail addresses unique among the customers of an organization, by claims on keyed hashes. */
@Injectable()
export class EmailClaims {
  readonly #rules: ClaimRules = {
    refusal: emailTaken,
    isHeld: (claim, stream) => this.isHeld(claim, stream),
  };

  constructor(
    private readonly claims: Claims,
    private readonly vault: Vault,
    private readonly customers: CustomerReader,
  ) {}

  /**
   * Claims the address of a customer, then registers or changes the customer, as `Claims.holding` does.
   * @throws DomainError `duplicate_resource`, and what `command` throws
   */
  async holding<Result>(
    context: CommandContext,
    customerKey: Uuid,
    email: string | null,
    command: (leased: CommandContext) => Promise<Result>,
  ): Promise<Result> {
    const { org } = context;
    const claims = email === null ? [] : [emailClaim(this.vault, org, email)];
    return this.claims.holding(context, claims, ownerOf(org, customerKey), this.#rules, command);
  }

  /**
   * Releases the former address of a customer, unless the customer took it back since. If it takes it back at this moment,
   * the policy of that change restores the claim.
   */
  async change(org: Uuid, customerKey: Uuid, former: string | null): Promise<void> {
    const owner = ownerOf(org, customerKey);
    const present = await this.presentClaim(org, customerKey);
    const released = former === null ? undefined : emailClaim(this.vault, org, former);
    if (released && released.key !== present?.key) await this.claims.release(org, [released], owner);
    if (present && released?.key !== present.key) await this.claims.restore(org, present, owner, this.#rules);
  }

  /** Returns the customer with an address, regardless of case; undefined if there is none. */
  async customerWith(org: Uuid, email: string): Promise<Uuid | undefined> {
    const owner = await this.claims.ownerOf(org, emailClaim(this.vault, org, email));
    return owner === undefined ? undefined : entityOf(owner);
  }

  async releaseAll(org: Uuid, customerKey: Uuid): Promise<void> {
    await this.claims.releaseKind(org, 'email', ownerOf(org, customerKey));
  }

  /** Tells whether a customer has an address. It keeps its claim where its details do not open, as it may still have it. */
  private async isHeld({ key }: Claim, stream: string): Promise<boolean> {
    try {
      return (await this.presentClaim(orgOfStream(stream), entityOf(stream)))?.key === key;
    } catch (error) {
      if (error instanceof SealDamaged) return true;
      throw error;
    }
  }

  /** Returns the claim on the customer's present address in the log; an erased customer has none. */
  private async presentClaim(org: Uuid, customerKey: Uuid): Promise<Claim | undefined> {
    const customer = await this.customers.load(org, customerKey);
    const held = customer && (await this.vault.unseal<PersonalData>(org, customerKey, customer.state.sealed));
    return typeof held?.email === 'string' ? emailClaim(this.vault, org, held.email) : undefined;
  }
}

/** Returns the claim on an e-mail address, whose key is a keyed hash. */
export const emailClaim = (vault: Vault, org: Uuid, email: string): Claim => ({
  kind: 'email',
  key: vault.hmac(org, normalizeEmail(email)),
});

const ownerOf = (org: Uuid, customerKey: Uuid): string => streamName('customer', org, customerKey);

const emailTaken = (): DomainError =>
  new DomainError('duplicate_resource', 'A customer with this email already exists. Use another email.');

/** Releases the former e-mail address of a customer that changed it. */
@Injectable()
export class ReleaseFormerEmail implements Policy, OnModuleInit {
  readonly name = 'release-former-email';
  readonly on = ['CustomerDetailsChanged'];

  constructor(
    private readonly policies: Policies,
    @Inject(EVENT_STORE) private readonly store: EventStore,
    private readonly emails: EmailClaims,
    private readonly vault: Vault,
  ) {}

  onModuleInit(): void {
    this.policies.register(this);
  }

  async handle(event: RecordedEvent): Promise<void> {
    const { org } = event.metadata;
    const customerKey = entityOf(event.stream);
    const sealed = await this.sealedBefore(event);
    if (sealed === undefined) return;
    const former = await this.vault.unseal<PersonalData>(org, customerKey, sealed);
    if (former) await this.emails.change(org, customerKey, former.email);
  }

  /** Reads the event before, which is seldom of another type, and not the whole stream: the worker may have many changes. */
  private async sealedBefore({ stream, revision }: RecordedEvent): Promise<string | undefined> {
    for (const limit of [1, Infinity]) {
      const before = { direction: 'backwards', from: revision - 1n, limit } as const;
      for await (const event of this.store.readStream(stream, before)) {
        const { type, data } = event as unknown as CustomerEvent;
        if (type === 'CustomerRegistered' || type === 'CustomerDetailsChanged') return data.sealed;
      }
    }
    return undefined;
  }
}

/** Indexes the claims on e-mail addresses by their owner: no other kind is released by owner. */
export const CLAIMS_OWNER_MIGRATION = `
drop index claims_owner;
create index claims_owner on claims (owner_stream) where kind = 'email';`;
