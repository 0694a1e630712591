import { Injectable } from '@nestjs/common';
import { DomainError } from '../../kernel/errors.js';
import type { Uuid } from '../../kernel/ids.js';
import { Vault } from '../../platform/privacy/vault.js';
import type { CreditRow } from '../read-models/credits.js';

interface SealedDescription {
  readonly description: string;
}

/** Seals and opens descriptions of credits: they may name a person, so the customer's key seals them. */
@Injectable()
export class CreditDescriptions {
  constructor(private readonly vault: Vault) {}

  /** Seals a description; equal texts of one customer are sealed alike. @throws DomainError `invalid_state` for an erased customer */
  async seal(org: Uuid, customerKey: Uuid, description: string): Promise<string> {
    const sealed = await this.vault.sealDeterministically(org, customerKey, {
      description,
    } satisfies SealedDescription);
    if (sealed !== undefined) return sealed;
    throw new DomainError(
      'invalid_state',
      'The customer was erased: its credits take no description. Leave it out.',
    );
  }

  /** Opens descriptions, by credit; credits without a sealed one and those of erased customers are left out. */
  async open(org: Uuid, credits: readonly CreditRow[]): Promise<Map<Uuid, string>> {
    const items = credits.flatMap(
      ({ credit_id: creditId, customer_key: subject, sealed_description: sealed }) =>
        sealed === null ? [] : [{ creditId, subject, sealed }],
    );
    const words = await this.vault.unsealMany<SealedDescription>(org, items);
    const opened = items.map(({ creditId }, index) => [creditId, words[index]?.description] as const);
    return new Map(opened.filter((entry): entry is readonly [Uuid, string] => entry[1] !== undefined));
  }
}
