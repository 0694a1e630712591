import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { RecordedEvent } from '../../kernel/event.js';
import { Policies, type Policy } from '../../platform/eventsourcing/policies/policies.js';
import { StreamRestrictions } from '../../platform/eventsourcing/stream-restrictions.js';
import { RESTRICTING_EVENTS, restricts } from '../domain/restrictions.js';

/** Notes restrictions whose process died between the event and its note. */
@Injectable()
export class NoteRestrictions implements Policy, OnModuleInit {
  readonly name = 'note-restrictions';
  readonly on = RESTRICTING_EVENTS;

  constructor(
    private readonly policies: Policies,
    private readonly restrictions: StreamRestrictions,
  ) {}

  onModuleInit(): void {
    this.policies.register(this);
  }

  async handle(event: RecordedEvent): Promise<void> {
    if (restricts(event)) await this.restrictions.note(event.stream, event.revision);
  }
}
