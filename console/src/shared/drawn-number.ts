/** An exact figure as a number, for places in drawings only: it is rounded. */
export function toDrawn(text: string): number {
  const [numerator, denominator = '1'] = text.split('/');
  return Number(numerator) / Number(denominator);
}
