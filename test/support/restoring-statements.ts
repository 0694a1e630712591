import { readFileSync } from 'node:fs';
import path from 'node:path';

/** Returns the statements of docs/operating.md#reservations-and-claims, which write both anew. */
export function restoringStatements(): string {
  const page = readFileSync(path.resolve(import.meta.dirname, '../../docs/operating.md'), 'utf8');
  return /### Reservations and claims[^]*?```sql\n([^]*?)```/.exec(page)![1]!;
}
