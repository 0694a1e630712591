import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { Uuid } from '../kernel/ids.js';
import { CommandRunner } from '../platform/eventsourcing/command-runner/command-runner.js';
import { toBase64 } from './domain/bytes.js';
import { SIGNING_KEYS, signingKeysDecider } from './domain/signing-keys.js';
import type { SigningKey } from './signing-keys.js';

/** Records in each organization's log which keys sign its checkpoints, so that a checkpoint covers the change of its keys. */
@Injectable()
export class SigningKeyLog {
  /** Organizations for which this process has recorded its keys, which never change while it runs. */
  readonly #recorded = new Set<Uuid>();

  constructor(private readonly runner: CommandRunner) {}

  async record(org: Uuid, keys: readonly SigningKey[]): Promise<void> {
    if (this.#recorded.has(org)) return;
    const publicKeys = keys.map(({ publicKey }) => toBase64(publicKey));
    const context = { org, commandId: randomUUID(), correlationId: 'checkpoint', actor: 'system' };
    await this.runner.run(signingKeysDecider, SIGNING_KEYS, { type: 'UseKeys', publicKeys }, context);
    this.#recorded.add(org);
  }
}
