/** Tags compare without case (docs/contract.md#list-plans); the first spelling stays. */
export function withoutRepeats(tags: readonly string[]): string[] {
  const folded = tags.map((tag) => tag.toLowerCase());
  return tags.filter((_, place) => folded.indexOf(folded[place]!) === place);
}

/** Returns the tags that are not in the other list. */
export function tagsWithout(tags: readonly string[], others: readonly string[]): string[] {
  const left = new Set(others.map((tag) => tag.toLowerCase()));
  return tags.filter((tag) => !left.has(tag.toLowerCase()));
}
