import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { DomainError } from '../../kernel/errors.js';
import type { Uuid } from '../../kernel/ids.js';
import type { SignedCheckpoint } from '../checkpoint-rows.js';
import { SignedCheckpoints, preventsSigning } from '../signed-checkpoints.js';

/** Signs a checkpoint over everything stored so far. */
export class SignCheckpoint extends Command<SignedCheckpoint> {
  constructor(readonly org: Uuid) {
    super();
  }
}

@CommandHandler(SignCheckpoint)
export class SignCheckpointHandler implements ICommandHandler<SignCheckpoint> {
  constructor(private readonly checkpoints: SignedCheckpoints) {}

  /** @throws DomainError `conflict` with the reason why nothing is signed */
  async execute({ org }: SignCheckpoint): Promise<SignedCheckpoint> {
    try {
      return await this.checkpoints.sign(org, 'request');
    } catch (error) {
      if (preventsSigning(error)) throw new DomainError('conflict', error.message);
      throw error;
    }
  }
}
