import { readFileSync } from 'node:fs';
import type { INestApplicationContext } from '@nestjs/common';
import { ErasureReplay } from '../customer/commands/erase-customer.js';
import { Erasures } from '../customer/queries/list-erasures.js';
import { DomainError } from '../kernel/errors.js';
import { fileFault } from '../kernel/file-fault.js';
import { fromWireId, isUuid, toWireId, type Uuid } from '../kernel/ids.js';
import { formatInstant } from '../kernel/instant.js';
import type { Output } from './output.js';

interface ListedErasure {
  readonly org: Uuid;
  readonly customerKey: Uuid;
}

/** Lists erased customers; as JSON for `erasures repeat`. No line names a person. */
export async function* listErasures(app: INestApplicationContext): AsyncGenerator<Output, boolean> {
  for await (const { org, customerKey, erasedAt } of app.get(Erasures, { strict: false }).all()) {
    const organization = toWireId('org', org);
    const at = erasedAt && formatInstant(erasedAt);
    yield {
      text: `customer ${customerKey} of ${organization}, ${at ?? 'under way'}`,
      row: { organization_id: organization, customer_key: customerKey, erased_at: at },
    };
  }
  return true;
}

/** Repeats the listed erasures. @returns whether the log records the erasure of every customer that it contains */
export async function* repeatErasures(
  app: INestApplicationContext,
  erasures: readonly ListedErasure[],
): AsyncGenerator<Output, boolean> {
  // 1. Make the personal data unreadable at once, even if the log cannot be written.
  const repeated = app.get(ErasureReplay, { strict: false });
  const known: ListedErasure[] = [];
  for (const erasure of erasures)
    if (await repeated.destroy(erasure.org, erasure.customerKey)) known.push(erasure);

  // 2. Record the erasures in the log. Stop at the first one that finds the read models behind.
  let waiting = 0;
  for (const [index, { org, customerKey }] of known.entries()) {
    try {
      await repeated.record(org, customerKey);
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
      yield `customer ${customerKey} of ${toWireId('org', org)} is not erased in the log: ${error.detail}`;
      if (error.code === 'unavailable') {
        waiting += known.length - index;
        break;
      }
      waiting += 1;
    }
  }
  yield `${known.length} erased, ${erasures.length - known.length} not in this log`;
  if (waiting > 0)
    yield `the log does not say so of ${waiting}: run this again when GET /api/readiness/ answers 200`;
  return waiting === 0;
}

/** @throws Error that names the file or the line that cannot be read */
export function readErasures(file: string): ListedErasure[] {
  const lines = textOf(file).split('\n');
  return lines.flatMap((line, index) => {
    // npm prints lines with this beginning before the command's own.
    if (line.trim() === '' || line.startsWith('>')) return [];
    const erasure = readErasure(line);
    if (!erasure)
      throw new Error(`Line ${index + 1} of ${file} is not one that \`erasures list --json\` prints.`);
    return [erasure];
  });
}

function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw fileFault(error, file);
  }
}

function readErasure(line: string): ListedErasure | undefined {
  try {
    const entry = JSON.parse(line) as { organization_id?: unknown; customer_key?: unknown };
    const org = fromWireId('org', String(entry.organization_id));
    const customerKey = String(entry.customer_key);
    return org && isUuid(customerKey) ? { org, customerKey } : undefined;
  } catch {
    return undefined;
  }
}
