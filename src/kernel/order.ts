/** For sorting by whole numbers, or by texts whose order is that of their characters, as instants and ids are. */
export const inOrder = <Key extends string | bigint>(a: Key, b: Key): number => (a < b ? -1 : a > b ? 1 : 0);
