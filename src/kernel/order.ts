/** Sorts whole numbers, or texts such as instants and ids, in ascending order. */
export const ascending = <Key extends string | bigint>(a: Key, b: Key): number =>
  a < b ? -1 : a > b ? 1 : 0;
