import { Inject, Injectable } from '@nestjs/common';
import { orgOfStream, type Position } from '../../kernel/event.js';
import type { Uuid } from '../../kernel/ids.js';
import { SingleFlight } from '../concurrency/shared-calls.js';
import { type EventStore, STORED_EVENTS } from './store/event-store.js';

/** Limit of events that one call reads; of more, only the last position is learnt. */
const MAX_READ = 1_000;
const REMEMBERED = 10_000;

/**
 * Tells the position of the last event of an organization, whichever process appended it. It reads the events since the
 * last call, so that no organization waits for read models to apply events of others.
 */
@Injectable()
export class LastEvents {
  readonly #positions = new Map<Uuid, Position>();
  /** Position up to which events were read. */
  #read: Position | undefined;
  /** Upper bound for organizations that have no entry in `#positions`. */
  #floor: Position | undefined;
  readonly #readOn = new SingleFlight(() => this.#readNewEvents());

  constructor(@Inject(STORED_EVENTS) private readonly store: Pick<EventStore, 'head' | 'readAll'>) {}

  /** Returns a position that is not before the organization's last event at the time of the call. @throws StoreUnavailable */
  async of(org: Uuid): Promise<Position | undefined> {
    await this.#readOn.run('events');
    return this.#positions.get(org) ?? this.#floor;
  }

  async #readNewEvents(): Promise<void> {
    if (!this.#read) return this.#skipToHead();
    let count = 0;
    for await (const { stream, position } of this.store.readAll(this.#read, MAX_READ)) {
      this.#positions.set(orgOfStream(stream), position);
      this.#read = position;
      count += 1;
    }
    if (count === MAX_READ || this.#positions.size > REMEMBERED) await this.#skipToHead();
  }

  async #skipToHead(): Promise<void> {
    this.#read = this.#floor = await this.store.head();
    this.#positions.clear();
  }
}
