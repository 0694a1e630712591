import type { Uuid } from '../../../kernel/ids.js';
import type { Position } from '../../../kernel/event.js';

/** How far the read models are: what read-your-writes waits for. */
export interface ReadModels {
  /** True once every read model has reached the position; false when that takes longer. */
  waitFor(position: Position, timeoutMs: number): Promise<boolean>;
  /** Whether they leave out something of this tenant, because an event of it cannot be applied. */
  isIncomplete(org: Uuid): boolean;
}

export const READ_MODELS = Symbol('ReadModels');
