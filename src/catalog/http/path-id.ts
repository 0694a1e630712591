import { DomainError } from '../../kernel/errors.js';
import { fromWireId, type IdKind, type Uuid } from '../../kernel/ids.js';

/** An id in a path. @throws DomainError `not_found` for a text that cannot be one */
export function pathId(kind: IdKind, text: string): Uuid {
  const id = fromWireId(kind, text);
  if (!id) throw new DomainError('not_found', `There is no ${kind} with this id.`);
  return id;
}
