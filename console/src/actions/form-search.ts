/** Values of a form in an address, each at its path: `form.tiers.0.cost=0.5`, `form.tiers=2` for the number of rows. */
export type FormSearch = { readonly [name: `form.${string}`]: unknown };

const PREFIX = 'form.';
/** Rows beyond them are no form but a slip of whoever wrote the address. */
const MOST_ROWS = 200;

type Search = Readonly<Record<string, unknown>>;

const formPart = (search: Search, isOfForm: boolean): Search =>
  Object.fromEntries(Object.entries(search).filter(([name]) => name.startsWith(PREFIX) === isOfForm));

/** Lets the values of a form into the state of a page. */
export const withForm =
  <Page extends object>(readPage: (search: Search) => Page) =>
  (search: Search): Page & FormSearch => ({ ...readPage(search), ...formPart(search, true) });

export const withoutForm = <Page extends object>(search: Page): Page =>
  formPart(search as Search, false) as Page;

/** Reads a value of an address; undefined: it cannot be read. */
export type Reader<Value> = (given: unknown) => Value | undefined;

/** Rows of a form: what one begins with, and how its values are read. */
interface Rows<Row extends object> {
  readonly row: Row;
  readonly shape: FormShape<Row>;
}

/** Readers of the values of a form; `kept out` is never in an address, such as a text about a person. */
export type FormShape<Values extends object> = {
  readonly [Name in keyof Values]: Values[Name] extends readonly (infer Row extends object)[]
    ? Rows<Row>
    : Reader<Values[Name]> | 'kept out';
};

type AnyShape = Readonly<Record<string, Rows<Search> | Reader<unknown> | 'kept out'>>;

export const readText: Reader<string> = (given) =>
  typeof given === 'string' || typeof given === 'number' || typeof given === 'boolean'
    ? String(given)
    : undefined;

export const readNumber: Reader<string> = (given) => {
  const text = readText(given);
  return text !== undefined && Number.isFinite(Number(text)) ? text : undefined;
};

/** A day of the calendar, or none. */
export const readDay: Reader<string> = (given) => {
  if (given === '') return given;
  const day = new Date(`${String(given)}T00:00:00Z`);
  return !Number.isNaN(day.getTime()) && day.toISOString().slice(0, 10) === given ? given : undefined;
};

export const readFlag: Reader<boolean> = (given) => (typeof given === 'boolean' ? given : undefined);

export const readTexts: Reader<readonly string[]> = (given) =>
  Array.isArray(given) && given.every((one) => typeof one === 'string') ? given : undefined;

export const oneOf =
  <Value extends string>(options: Readonly<Record<Value, unknown>>): Reader<Value> =>
  (given) => {
    const text = String(given);
    return Object.hasOwn(options, text) ? (text as Value) : undefined;
  };

const rowsOf = (value: unknown): readonly Search[] => value as readonly Search[];

/** Returns the parameters of the values that differ from those that the form begins with. */
export function writeForm<Values extends object>(
  shape: FormShape<Values>,
  beginning: Values,
  values: Values,
): FormSearch {
  const written: Record<`form.${string}`, unknown> = {};
  const write = (fields: AnyShape, from: Search, to: Search, path: `form.${string}`): void => {
    for (const [name, field] of Object.entries(fields)) {
      if (field === 'kept out') continue;
      const at = `${path}${name}` as const;
      if (typeof field === 'object') {
        const [before, after] = [rowsOf(from[name]), rowsOf(to[name])];
        if (before.length !== after.length) written[at] = after.length;
        after.forEach((row, index) => write(field.shape, before[index] ?? field.row, row, `${at}.${index}.`));
      } else if (JSON.stringify(from[name]) !== JSON.stringify(to[name])) written[at] = to[name];
    }
  };
  write(shape as unknown as AnyShape, beginning as Search, values as Search, PREFIX);
  return written;
}

export interface ReadForm<Values> {
  readonly values: Values;
  /** Parameters that are ignored, as text. */
  readonly ignored: readonly string[];
}

/** Reads the values of a form from an address, over those that the form begins with. */
export function readForm<Values extends object>(
  shape: FormShape<Values>,
  beginning: Values,
  search: object,
): ReadForm<Values> {
  const given = new Map(Object.entries(formPart(search as Search, true)));
  const ignored: string[] = [];
  const take = <Value>(at: string, read: Reader<Value>): Value | undefined => {
    if (!given.has(at)) return undefined;
    const value = read(given.get(at));
    if (value !== undefined) given.delete(at);
    return value;
  };
  const read = (fields: AnyShape, from: Search, path: string): Search =>
    Object.fromEntries(
      Object.entries(fields).map(([name, field]) => {
        const at = `${path}${name}`;
        if (field === 'kept out') return [name, from[name]];
        if (typeof field === 'function') return [name, take(at, field) ?? from[name]];
        const before = rowsOf(from[name]);
        const count = take(at, readCount) ?? before.length;
        const rows = Array.from({ length: count }, (_, index) =>
          read(field.shape, before[index] ?? field.row, `${at}.${index}.`),
        );
        return [name, rows];
      }),
    );
  const values = { ...beginning, ...read(shape as unknown as AnyShape, beginning as Search, PREFIX) };
  for (const [name, value] of given) ignored.push(`${name.slice(PREFIX.length)}=${textOf(value)}`);
  return { values, ignored };
}

const readCount: Reader<number> = (given) =>
  typeof given === 'number' && Number.isInteger(given) && given >= 0 && given <= MOST_ROWS
    ? given
    : undefined;

const textOf = (value: unknown): string => readText(value) ?? JSON.stringify(value);
