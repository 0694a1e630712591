import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { DomainError } from '../../kernel/errors.js';
import type { Uuid } from '../../kernel/ids.js';
import type { StoredCheckpoint } from '../checkpoint-rows.js';
import { Checkpoints, preventsSigning } from '../checkpoints.js';

/** Signs a checkpoint over everything stored so far. */
export class SignCheckpoint extends Command<StoredCheckpoint> {
  constructor(readonly org: Uuid) {
    super();
  }
}

@CommandHandler(SignCheckpoint)
export class SignCheckpointHandler implements ICommandHandler<SignCheckpoint> {
  constructor(private readonly checkpoints: Checkpoints) {}

  /** @throws DomainError `conflict` with the reason why nothing is signed */
  async execute({ org }: SignCheckpoint): Promise<StoredCheckpoint> {
    try {
      return await this.checkpoints.sign(org, 'request');
    } catch (error) {
      if (preventsSigning(error)) throw new DomainError('conflict', error.message);
      throw error;
    }
  }
}
