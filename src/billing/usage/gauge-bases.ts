import { Inject, Injectable } from '@nestjs/common';
import { streamName } from '../../kernel/event.js';
import type { Uuid } from '../../kernel/ids.js';
import type { UsageQuestion } from '../../metering/domain/counter.js';
import type { QuestionFromBase } from '../../metering/domain/usage-base.js';
import { readState } from '../../platform/eventsourcing/command-runner/stream-state-cache.js';
import { EVENT_STORE, type EventStore } from '../../platform/eventsourcing/store/event-store.js';
import type { AccountState } from '../accounts/domain/account-state.js';
import { gaugeCheckpointUpTo } from '../accounts/domain/gauge-checkpoints.js';
import { accountDecider, accountId } from '../decider/domain/account.js';

/** A question about a component of a term, with what its last closed count is found by. */
export interface ComponentQuestion {
  readonly question: UsageQuestion;
  readonly metricId: Uuid;
  /** Currency of the account that the term is billed in. */
  readonly currency: string;
}

/** Lets gauges that deltas move continue a closed count: the deltas that it has counted are not read again. */
@Injectable()
export class GaugeBases {
  constructor(@Inject(EVENT_STORE) private readonly store: EventStore) {}

  /** Returns the questions in their order, those of gauges of deltas with the last closed count if it ends by their end. */
  async continued(org: Uuid, asked: readonly ComponentQuestion[]): Promise<QuestionFromBase[]> {
    const accounts = new Map<string, Promise<AccountState>>();
    const accountWith = (id: string): Promise<AccountState> => {
      const account = accounts.get(id) ?? this.read(org, id);
      accounts.set(id, account);
      return account;
    };
    return Promise.all(
      asked.map(async ({ question, metricId, currency }) => {
        const { customerKey, definition, filters, window } = question;
        if (definition.metricType !== 'gauge' || definition.eventType !== 'delta') return question;
        const { checkpoints } = await accountWith(accountId(customerKey, currency));
        const base = gaugeCheckpointUpTo(checkpoints, metricId, filters, window.end);
        return base ? { ...question, base } : question;
      }),
    );
  }

  private async read(org: Uuid, id: string): Promise<AccountState> {
    return (await readState(this.store, streamName('account', org, id), accountDecider)).state;
  }
}
