/**
 * Returns the typed number digit by digit. Text that is no number, or has more digits than a number keeps, stays text: the
 * service says what is wrong with it.
 */
export function numberOf(text: string): number {
  const number = Number(text);
  return String(number) === text.trim() ? number : (text.trim() as unknown as number);
}
