import { Module } from '@nestjs/common';
import { Database } from '../../database/open-database.js';
import { Vault } from '../../privacy/vault.js';
import { AnswerPrivacy, IdempotencyKeys } from './idempotency-keys.js';

/** Provides the recorded answers, which the command line redacts too: it has none of the HttpModule. */
@Module({
  providers: [
    AnswerPrivacy,
    {
      provide: IdempotencyKeys,
      useFactory: (database: Database, vault: Vault, privacy: AnswerPrivacy) =>
        new IdempotencyKeys(database.pool, vault, privacy),
      inject: [Database, Vault, AnswerPrivacy],
    },
  ],
  exports: [AnswerPrivacy, IdempotencyKeys],
})
export class IdempotencyModule {}
