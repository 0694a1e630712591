import type { Uuid } from '../../kernel/ids.js';

/**
 * Gives free places to those who wait, in their order. An organization may take a place as long as it holds fewer than
 * are still free: alone it holds half of them, of n that want all each comes to hold one of n + 1 parts, and some are
 * left for whoever comes next.
 * @param held places that organizations have already
 */
export function sharePlaces<Waiting extends { readonly org: Uuid }>(
  waiting: readonly Waiting[],
  held: ReadonlyMap<Uuid, number>,
  free: number,
): Waiting[] {
  const holding = new Map(held);
  const given: Waiting[] = [];
  for (const one of waiting) {
    const left = free - given.length;
    const has = holding.get(one.org) ?? 0;
    if (has >= left) continue;
    holding.set(one.org, has + 1);
    given.push(one);
  }
  return given;
}
