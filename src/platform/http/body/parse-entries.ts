import { randomUUID } from 'node:crypto';
import type { Uuid } from '../../../kernel/ids.js';
import { mapYielding } from '../../concurrency/long-work.js';

/**
 * Parses a long JSON text as `JSON.parse` does, and lets the rest of the process go on meanwhile: each object in a list
 * of the outermost object is parsed by itself, and the text around them with a name in the place of each. Objects take a
 * value's place wherever a text does, so the whole is JSON exactly when all parts are.
 * @param org that sent it
 * @param entries where each of these objects begins and ends (JsonLimits)
 * @throws SyntaxError
 */
export async function parseEntries(org: Uuid, text: Buffer, entries: readonly number[]): Promise<unknown> {
  // Nobody outside can write the names.
  const name = randomUUID();
  const around: string[] = [];
  const parts: [number, number][] = [];
  let end = 0;
  for (let at = 0; at + 1 < entries.length; at += 2) {
    around.push(text.toString('utf8', end, entries[at]!), `"${name}${parts.length}"`);
    end = entries[at + 1]!;
    parts.push([entries[at]!, end]);
  }
  const outermost: unknown = parseText(around.join('') + text.toString('utf8', end));
  if (parts.length === 0) return outermost;
  const parsed = await mapYielding(
    org,
    parts,
    ([from, to]) => JSON.parse(text.toString('utf8', from, to)) as unknown,
  );
  for (const list of Object.values(outermost as object)) {
    if (!Array.isArray(list)) continue;
    for (const [place, entry] of (list as unknown[]).entries()) {
      if (typeof entry === 'string' && entry.startsWith(name))
        list[place] = parsed[Number(entry.slice(name.length))];
    }
  }
  return outermost;
}

/** A byte order mark is no part of the text. @throws SyntaxError */
export const parseText = (text: string): unknown =>
  JSON.parse(text.startsWith('\ufeff') ? text.slice(1) : text);
