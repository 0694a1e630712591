import { textOfNumber } from '../../../kernel/quantity.js';
import { InvalidRequest } from '../problems/problem.js';

/** Condition of a query on one property: `property_name` and `value` on the wire. */
export interface PropertyFilter {
  readonly propertyName: string;
  readonly value: string;
}

type Fields = Partial<Record<'property_name' | 'value', unknown>>;

/** `[0][property_name]`, `[0].property_name` or `[0]property_name`. */
const FIELD_OF_ITEM = /^\[(\d{1,4})\](?:\[(property_name|value)\]|\.?(property_name|value))$/;
/** `name={json}`, `name[]={json}`, `name[0]={json}`; the JSON is one filter or a list of them. */
const WHOLE_ITEM = /^(?:\[\d{0,4}\])?$/;

/** Reads property filters in every encoding of docs/contract.md#query-parameters. @throws InvalidRequest for an unreadable one */
export function readFilters(name: string, params: readonly RawParam[]): PropertyFilter[] {
  const whole: unknown[] = [];
  const assembled = new Map<number, Fields>();
  for (const { suffix, value } of params) {
    const part = FIELD_OF_ITEM.exec(suffix);
    if (part) {
      const fields = assembled.get(Number(part[1])) ?? {};
      const field = (part[2] ?? part[3]) as keyof Fields;
      if (fields[field] !== undefined) throw unreadable(name);
      assembled.set(Number(part[1]), { ...fields, [field]: value });
    } else if (WHOLE_ITEM.test(suffix)) {
      const parsed = parseJson(name, value);
      whole.push(...(Array.isArray(parsed) ? parsed : [parsed]));
    } else {
      throw unreadable(name);
    }
  }
  const ascending = [...assembled].sort(([a], [b]) => a - b).map(([, fields]) => fields);
  return [...whole, ...ascending].map((item) => toFilter(name, item));
}

function parseJson(name: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw unreadable(name);
  }
}

function toFilter(name: string, item: unknown): PropertyFilter {
  if (typeof item !== 'object' || item === null) throw unreadable(name);
  const { property_name: propertyName, value } = item as Fields;
  const text = typeof value === 'number' && Number.isFinite(value) ? textOfNumber(value) : value;
  if (typeof propertyName !== 'string' || propertyName === '' || typeof text !== 'string') {
    throw unreadable(name);
  }
  return { propertyName, value: text };
}

const unreadable = (attr: string) =>
  new InvalidRequest({
    code: 'invalid',
    detail: `The filters cannot be read. Give a JSON list of {"property_name", "value"} or ${attr}[0][property_name]=…&${attr}[0][value]=….`,
    attr,
  });

/** Parameter in its sent form: `a`, `a[]`, `a[0]` and `a[0][b]` have the name `a`; the rest of the key is the suffix. */
export interface RawParam {
  readonly name: string;
  readonly suffix: string;
  readonly value: string;
}
