import { randomUUID } from 'node:crypto';
import type { Uuid } from '../../../kernel/ids.js';
import { mapYielding } from '../../concurrency/long-work.js';
import type { ReceivedBytes } from './received-bytes.js';

/**
 * Parses a long JSON text as long work (`LongWork`). Each object in a list of the outermost object is parsed alone; the text
 * around them is parsed with a placeholder for each. An object and a text are allowed in equal positions, so the whole
 * text is JSON exactly if all parts are.
 * @param org organization that sent the text
 * @param entries start and end offsets of the objects (`JsonLimits.entries`)
 * @throws SyntaxError
 */
export async function parseEntries(
  org: Uuid,
  bytes: ReceivedBytes,
  entries: readonly number[],
): Promise<unknown> {
  // A random placeholder cannot occur in the body.
  const name = randomUUID();
  const around: string[] = [];
  const parts: [number, number][] = [];
  let end = 0;
  for (let at = 0; at + 1 < entries.length; at += 2) {
    around.push(bytes.text(end, entries[at]!), `"${name}${parts.length}"`);
    end = entries[at + 1]!;
    parts.push([entries[at]!, end]);
  }
  const outermost: unknown = parseText(around.join('') + bytes.text(end));
  if (parts.length === 0) return outermost;
  const parsed = await mapYielding(org, parts, ([from, to]) => JSON.parse(bytes.text(from, to)) as unknown);
  for (const list of Object.values(outermost as object)) {
    if (!Array.isArray(list)) continue;
    for (const [index, entry] of (list as unknown[]).entries()) {
      if (typeof entry === 'string' && entry.startsWith(name))
        list[index] = parsed[Number(entry.slice(name.length))];
    }
  }
  return outermost;
}

/** Parses JSON after an optional byte order mark. @throws SyntaxError */
export const parseText = (text: string): unknown =>
  JSON.parse(text.startsWith('\ufeff') ? text.slice(1) : text);
