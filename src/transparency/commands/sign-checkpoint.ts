import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { DomainError } from '../../kernel/errors.js';
import type { Uuid } from '../../kernel/ids.js';
import type { KeptCheckpoint } from '../checkpoint-rows.js';
import { Checkpoints, isFault } from '../checkpoints.js';

/** Signs a checkpoint over everything stored so far. */
export class SignCheckpoint extends Command<KeptCheckpoint> {
  constructor(readonly org: Uuid) {
    super();
  }
}

@CommandHandler(SignCheckpoint)
export class SignCheckpointHandler implements ICommandHandler<SignCheckpoint> {
  constructor(private readonly checkpoints: Checkpoints) {}

  /** @throws DomainError `conflict` with the reason why nothing is signed */
  async execute({ org }: SignCheckpoint): Promise<KeptCheckpoint> {
    try {
      return await this.checkpoints.sign(org, 'request');
    } catch (error) {
      if (isFault(error)) throw new DomainError('conflict', error.message);
      throw error;
    }
  }
}
