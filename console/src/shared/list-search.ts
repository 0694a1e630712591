/** State of a list in its address: sorting, page and filters, all as plain text. */
export type ListSearch<Filter extends string> = { readonly [Name in Filter | 'sort' | 'cursor']?: string };

/** Reads the state of a list from an address, and ignores unknown parameters. */
export const readListSearch =
  <Filter extends string>(...filters: readonly Filter[]) =>
  (search: Readonly<Record<string, unknown>>): ListSearch<Filter> => {
    const names: readonly string[] = ['sort', 'cursor', ...filters];
    const known = Object.entries(search).filter(([name, value]) => names.includes(name) && isPlain(value));
    return Object.fromEntries(known.map(([name, value]) => [name, String(value)])) as ListSearch<Filter>;
  };

const isPlain = (value: unknown): value is string | number | boolean =>
  (typeof value === 'string' && value !== '') || typeof value === 'number' || typeof value === 'boolean';
