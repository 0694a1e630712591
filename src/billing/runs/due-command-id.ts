import { derivedId, type Uuid } from '../../kernel/ids.js';

/** The id of the command that does a piece of due work: the same whoever does it, so that it is done once. */
export const dueCommandId = (subject: Uuid, cause: string): Uuid => derivedId(subject, `due ${cause}`);
