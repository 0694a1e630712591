/** A table as `npm run format` leaves it. */
export function markdownTable(columns: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = columns.map((column, place) =>
    Math.max(3, column.length, ...rows.map((row) => row[place]!.length)),
  );
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell, place) => cell.padEnd(widths[place]!)).join(' | ')} |\n`;
  return [line(columns), line(widths.map((width) => '-'.repeat(width))), ...rows.map(line)].join('');
}
