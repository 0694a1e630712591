import { describe, expect, it } from '@jest/globals';
import { allocateSlots } from '../../../src/webhooks/domain/allocate-slots.js';

const ofOrg = (org: string, count: number) =>
  Array.from({ length: count }, (_, place) => ({ org, id: `${org}${place}` }));
const orgs = (given: readonly { readonly org: string }[]): string => given.map(({ org }) => org).join('');

describe('slots of deliveries', () => {
  it('are at most half for an organization that wants all', () => {
    expect(allocateSlots(ofOrg('a', 100), new Map(), 64)).toHaveLength(32);
    expect(allocateSlots(ofOrg('a', 100), new Map([['a', 32]]), 32)).toHaveLength(0);
  });

  it('are left for an organization that comes while another holds its share', () => {
    const given = allocateSlots([...ofOrg('a', 50), ...ofOrg('b', 3)], new Map([['a', 32]]), 32);
    expect(orgs(given)).toBe('bbb');
  });

  it('are given in the order of waiting, also the last one', () => {
    expect(orgs(allocateSlots(ofOrg('b', 1), new Map([['a', 63]]), 1))).toBe('b');
    expect(allocateSlots(ofOrg('b', 1), new Map([['a', 64]]), 0)).toEqual([]);
  });

  it('are shared by n organizations that want all in n + 1 parts, one of which stays free', () => {
    const names = ['a', 'b', 'c', 'd', 'e', 'f', 'g'];
    let held = new Map<string, number>();
    const freeOf = () => 64 - [...held.values()].reduce((sum, some) => sum + some, 0);
    // In each round every organization releases one slot and requests all slots again.
    for (let round = 0; round < 200; round += 1) {
      held = new Map([...held].map(([org, some]) => [org, Math.max(0, some - 1)]));
      const first = round % names.length;
      const waiting = [...names.slice(first), ...names.slice(0, first)].flatMap((org) => ofOrg(org, 64));
      for (const { org } of allocateSlots(waiting, held, freeOf())) held.set(org, (held.get(org) ?? 0) + 1);
    }
    for (const some of held.values()) expect(Math.abs(some - 64 / 8)).toBeLessThanOrEqual(2);
    expect(freeOf()).toBeGreaterThanOrEqual(4);
  });
});
