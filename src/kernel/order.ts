/** For sorting by texts whose order is that of their characters, as instants and ids are. */
export const inOrder = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
