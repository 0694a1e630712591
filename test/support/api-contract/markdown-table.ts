/** Formats a Markdown table as `npm run format` does. */
export function markdownTable(columns: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = columns.map((column, index) =>
    Math.max(3, column.length, ...rows.map((row) => row[index]!.length)),
  );
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell, index) => cell.padEnd(widths[index]!)).join(' | ')} |\n`;
  return [line(columns), line(widths.map((width) => '-'.repeat(width))), ...rows.map(line)].join('');
}
