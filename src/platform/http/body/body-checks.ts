import { InvalidRequest } from '../problems/problem.js';

/** JSON text writes characters as escapes that PostgreSQL cannot store, and so does any form. @throws InvalidRequest */
export function rejectUnstorableText(body: unknown): void {
  const left = [body];
  while (left.length > 0) {
    const value = left.pop();
    if (typeof value === 'string' && (!value.isWellFormed() || value.includes('\0'))) {
      throw new InvalidRequest({
        code: 'invalid',
        detail: 'The body holds a NUL character or half a surrogate pair, which cannot be stored.',
        attr: 'non_field_errors',
      });
    }
    if (typeof value === 'object' && value !== null) {
      for (const [key, member] of Object.entries(value)) left.push(key, member);
    }
  }
}

/** `JSON.parse` makes an infinity of 1e999, which would be stored as null. @throws InvalidRequest */
export function rejectNonFiniteNumbers(body: unknown): void {
  const left: (readonly [string, unknown])[] = [['', body]];
  while (left.length > 0) {
    const [path, value] = left.pop()!;
    if (typeof value === 'number' && !Number.isFinite(value)) {
      throw new InvalidRequest({
        code: 'invalid',
        detail: 'The number is beyond what a double holds: at most 1.7976931348623157e308 in size.',
        attr: path === '' ? 'non_field_errors' : path,
      });
    }
    if (typeof value === 'object' && value !== null) {
      for (const [key, member] of Object.entries(value))
        left.push([path === '' ? key : `${path}.${key}`, member]);
    }
  }
}
