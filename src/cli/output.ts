import Table from 'cli-table3';
import { onOneLine, printable } from '../kernel/printable-text.js';

type Fields = Readonly<Record<string, unknown>>;

/** Result: text for people, fields for programs. The text may have several lines. */
interface Result {
  readonly text: string;
  readonly fields: Fields;
}

/** Entry of a list; a terminal shows consecutive rows as a table. */
interface Row {
  readonly text: string;
  readonly row: Fields;
}

/** Progress of a long command. Only a terminal shows it, and it is not part of the result. */
interface Progress {
  readonly progress: string;
}

/** Lines of a file that a command writes: printed unchanged, also with `--json`. */
interface Raw {
  readonly raw: string;
}

/** Bytes of a file that a command writes. */
interface Bytes {
  readonly bytes: Uint8Array;
}

export type Output = string | Result | Row | Progress | Raw | Bytes;

/** Destination of output. */
export interface Screen {
  readonly write: (text: string | Uint8Array) => void;
  readonly isTerminal: boolean;
  /** Resolves once the output was accepted; undefined without back-pressure. */
  readonly drained?: () => Promise<void>;
  /** Resolves once all output was accepted, or cannot be. */
  readonly finished?: () => Promise<void>;
  /** Why nothing more can be written, as after the reader of a pipe has left; undefined while it can. */
  readonly fault?: () => Error | undefined;
  /** Replaces the progress on the terminal; undefined without a terminal. */
  readonly note: ((text: string) => void) | undefined;
}

/** Returns the text of an output, or its JSON; undefined for progress and bytes. Names cannot steer a terminal. */
export function outputText(output: Output, asJson: boolean): string | undefined {
  if (typeof output === 'string') return asJson ? jsonText({ message: output }) : printable(output);
  if ('progress' in output || 'bytes' in output) return undefined;
  if ('raw' in output) return output.raw.replace(/\n$/, '');
  if (asJson) return jsonText('row' in output ? output.row : output.fields);
  return printable(output.text);
}

const jsonText = (fields: Fields): string => onOneLine(JSON.stringify(fields));

/** Number of rows collected for one table; a longer list is printed as several tables. */
const TABLE_ROWS = 200;

/**
 * Prints the output of a command as it arrives. Ends the command where its output cannot be written.
 * @returns the result of the command
 * @throws the fault of the screen
 */
export async function print(
  outputs: AsyncGenerator<Output, boolean>,
  screen: Screen,
  asJson: boolean,
): Promise<boolean> {
  try {
    const result = await printEach(outputs, screen, asJson);
    await finish(screen);
    return result;
  } finally {
    await outputs.return(false);
  }
}

/** Waits until all output was accepted. @throws the fault of the screen */
export async function finish(screen: Screen): Promise<void> {
  await screen.finished?.();
  const fault = screen.fault?.();
  if (fault) throw fault;
}

async function printEach(
  outputs: AsyncGenerator<Output, boolean>,
  screen: Screen,
  asJson: boolean,
): Promise<boolean> {
  const isTable = screen.isTerminal && !asJson;
  let rows: Row[] = [];
  const flush = (): void => {
    if (rows.length > 0)
      screen.write(
        `${tableText(
          rows.map(({ row }) => row),
          ['bold'],
        )}\n`,
      );
    rows = [];
  };
  for (;;) {
    const { done, value } = await outputs.next();
    const fault = screen.fault?.();
    if (fault) throw fault;
    if (done) {
      screen.note?.('');
      flush();
      return value;
    }
    if (typeof value !== 'string' && 'progress' in value) {
      screen.note?.(value.progress);
      continue;
    }
    screen.note?.('');
    if (typeof value !== 'string' && 'bytes' in value) {
      if (screen.isTerminal) {
        throw new Error('A terminal cannot show this file: redirect the output, with > FILE.');
      }
      screen.write(value.bytes);
      await screen.drained?.();
      continue;
    }
    if (isTable && typeof value !== 'string' && 'row' in value) {
      if (rows.length === TABLE_ROWS || (rows[0] && !hasSameFields(rows[0], value))) flush();
      rows.push(value);
      continue;
    }
    flush();
    const text = outputText(value, asJson)!;
    screen.write(`${screen.isTerminal ? printable(text) : text}\n`);
    if (typeof value !== 'string' && 'raw' in value) await screen.drained?.();
  }
}

const hasSameFields = (one: Row, other: Row): boolean =>
  Object.keys(one.row).join() === Object.keys(other.row).join();

const NO_BORDERS = Object.fromEntries(
  ['top', 'bottom', 'left', 'right']
    .flatMap((side) => [side, `${side}-mid`, `${side}-left`, `${side}-right`])
    .concat('mid', 'mid-mid', 'middle')
    .map((place) => [place, place === 'middle' ? '  ' : '']),
);

/**
 * Returns rows with the same fields as a table.
 * @param head styles of its first line; none in text for a pipe
 */
export function tableText(rows: readonly Fields[], head: string[] = []): string {
  const columns = Object.keys(rows[0]!);
  const table = new Table({
    head: columns.map((column) => column.replaceAll('_', ' ')),
    chars: NO_BORDERS,
    style: { 'padding-left': 0, 'padding-right': 0, head, border: [] },
    colAligns: columns.map((column) =>
      rows.every((row) => typeof row[column] === 'number') ? 'right' : 'left',
    ),
  });
  table.push(...rows.map((row) => columns.map((column) => cellOf(row[column]))));
  return table.toString();
}

function cellOf(value: unknown): string {
  if (value === null || value === undefined) return '–';
  return onOneLine(
    typeof value === 'object' ? JSON.stringify(value) : String(value as string | number | boolean),
  );
}
