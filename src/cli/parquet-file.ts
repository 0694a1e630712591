import type { SchemaElement } from 'hyparquet';
import { ByteWriter, ParquetWriter } from 'hyparquet-writer';

interface Column {
  readonly name: string;
  /** Object id of the PostgreSQL type. */
  readonly dataTypeID: number;
}

type Value = string | number | bigint | boolean | null;

interface ColumnType {
  readonly element: Omit<SchemaElement, 'name'>;
  /** Reads PostgreSQL's text, with UTC as its time zone. */
  readonly read: (text: string, column: string) => Value;
}

/** Digits of a decimal column, and those of them after the point; further ones after the point are cut. */
const PRECISION = 38;
const SCALE = 12;

const TEXT: ColumnType = { element: { type: 'BYTE_ARRAY', converted_type: 'UTF8' }, read: (text) => text };
const INTEGER: ColumnType = { element: { type: 'INT32' }, read: Number };
const DOUBLE: ColumnType = { element: { type: 'DOUBLE' }, read: Number };
const TYPES: ReadonlyMap<number, ColumnType> = new Map([
  [16, { element: { type: 'BOOLEAN' }, read: (text) => text === 't' }],
  [20, { element: { type: 'INT64' }, read: BigInt }],
  [21, INTEGER],
  [23, INTEGER],
  [700, DOUBLE],
  [701, DOUBLE],
  [1082, { element: { type: 'INT32', converted_type: 'DATE' }, read: daysOf }],
  [1184, { element: { type: 'INT64', converted_type: 'TIMESTAMP_MICROS' }, read: microsOf }],
  [
    1700,
    {
      element: {
        type: 'FIXED_LEN_BYTE_ARRAY',
        type_length: 16,
        converted_type: 'DECIMAL',
        precision: PRECISION,
        scale: SCALE,
      },
      read: unscaledOf,
    },
  ],
]);

const DAY_MS = 86_400_000;

function daysOf(text: string): number {
  return Date.parse(`${text}T00:00:00Z`) / DAY_MS;
}

/** `2026-01-31 12:00:00.5+00` */
function microsOf(text: string): bigint {
  const [seconds, fraction = ''] = text.replace('+00', '').split('.');
  return BigInt(Date.parse(`${seconds!.replace(' ', 'T')}Z`)) * 1000n + BigInt(fraction.padEnd(6, '0'));
}

/** @throws Error that names the column of a number with too many digits */
function unscaledOf(text: string, column: string): bigint {
  const [whole, fraction = ''] = text.split('.');
  if (whole!.replace('-', '').length > PRECISION - SCALE)
    throw new Error(
      `The column ${column} has a number of more than ${PRECISION - SCALE} digits before the point, which decimals of Parquet do not hold. Export it as csv or json.`,
    );
  return BigInt(whole! + fraction.slice(0, SCALE).padEnd(SCALE, '0'));
}

/** Parquet file that is written row group by row group: only the current one is in memory. */
export class ParquetFile {
  readonly #bytes = new ByteWriter();
  readonly #writer: ParquetWriter;
  readonly #columns: readonly (ColumnType & { readonly name: string })[];

  constructor(columns: readonly Column[]) {
    this.#columns = columns.map(({ name, dataTypeID }) => ({ name, ...(TYPES.get(dataTypeID) ?? TEXT) }));
    const schema: SchemaElement[] = this.#columns.map(({ name, element }) => ({
      name,
      repetition_type: 'OPTIONAL',
      ...element,
    }));
    const root = { name: 'root', num_children: schema.length };
    this.#writer = new ParquetWriter({ writer: this.#bytes, schema: [root, ...schema] });
  }

  /** Returns the bytes of a row group. */
  async rowGroup(rows: readonly (readonly (string | null)[])[]): Promise<Uint8Array> {
    const columnData = this.#columns.map(({ name, read }, index) => ({
      name,
      data: rows.map((row) => (row[index] === null ? null : read(row[index]!, name))),
    }));
    await this.#writer.write({ columnData, rowGroupSize: rows.length });
    return this.#taken();
  }

  /** Returns the end of the file, which describes its row groups. */
  async end(): Promise<Uint8Array> {
    await this.#writer.finish();
    return this.#taken();
  }

  #taken(): Uint8Array {
    const bytes = this.#bytes.getBytes().slice();
    this.#bytes.index = 0;
    return bytes;
  }
}
