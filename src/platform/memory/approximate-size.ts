/** About the length of the value as JSON; writing it to see would take eight times as long. */
export function approximateSize(value: unknown): number {
  if (typeof value === 'string') return value.length;
  if (value === null || typeof value !== 'object') return 8;
  let size = 8;
  for (const name in value) size += 8 + approximateSize((value as Record<string, unknown>)[name]);
  return size;
}
