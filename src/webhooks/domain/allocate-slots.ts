import type { Uuid } from '../../kernel/ids.js';

/**
 * Shares free sending slots among waiting endpoints, in their order. An organization may take a slot while it holds fewer
 * slots than are free. Alone it gets half of them; of n busy organizations each gets one of n + 1 parts, and one part
 * stays free for the next organization.
 * @param held slots that organizations hold already
 */
export function allocateSlots<Waiting extends { readonly org: Uuid }>(
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
