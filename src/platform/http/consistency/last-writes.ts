import { comparePositions, type Position } from '../../../kernel/event.js';
import type { Uuid } from '../../../kernel/ids.js';

const REMEMBERED_KEYS = 10_000;

/** The newest position this process handed to each API key (docs/architecture.md#read-your-writes); the longest unused go first. */
export class LastWrites {
  readonly #positions = new Map<string, Position>();

  of(keyId: Uuid): Position | undefined {
    return this.#positions.get(keyId);
  }

  note(keyId: Uuid, position: Position): void {
    const known = this.#positions.get(keyId);
    this.#positions.delete(keyId);
    this.#positions.set(keyId, known && comparePositions(known, position) > 0 ? known : position);
    if (this.#positions.size > REMEMBERED_KEYS) {
      this.#positions.delete(this.#positions.keys().next().value!);
    }
  }
}
