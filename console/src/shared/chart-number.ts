/** Converts an exact figure to a rounded number, for coordinates of drawings only. */
export function toChartNumber(text: string): number {
  const [numerator, denominator = '1'] = text.split('/');
  return Number(numerator) / Number(denominator);
}
