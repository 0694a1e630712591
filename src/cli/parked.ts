import type { INestApplicationContext } from '@nestjs/common';
import { Parking, type ParkedWork } from '../billing/parking/parking.js';
import { toWireId, type Uuid } from '../kernel/ids.js';
import { formatInstant } from '../kernel/instant.js';
import type { Output } from './output.js';

/**
 * Lists the parked billing work of all organizations with its causes.
 * @returns whether the list is empty
 */
export async function* listParked(app: INestApplicationContext): AsyncGenerator<Output, boolean> {
  let count = 0;
  for await (const work of app.get(Parking, { strict: false }).all()) {
    count += 1;
    const { parkId, cause, detail, tries, parkedAt, nextTryAt } = work;
    const [since, nextTry] = [formatInstant(parkedAt), formatInstant(nextTryAt)];
    const [subject, organization] = [subjectOf(work), toWireId('org', work.org)];
    yield {
      text:
        `${parkId}  ${subject} of ${organization}, since ${since}, tried ${tries} times, next ${nextTry}\n` +
        `      ${cause}: ${detail}`,
      fields: {
        id: parkId,
        subject,
        organization_id: organization,
        cause,
        detail,
        tries,
        parked_at: since,
        next_try_at: nextTry,
      },
    };
  }
  yield count === 0 ? 'nothing is parked' : `${count} parked`;
  return count === 0;
}

/**
 * Makes the scheduler retry parked work with its next sweep, before its delay ends.
 * @throws Error that names the ids of which nothing is parked, after the others
 */
export async function* retryParked(
  app: INestApplicationContext,
  which: 'all' | readonly Uuid[],
): AsyncGenerator<Output, boolean> {
  const parking = app.get(Parking, { strict: false });
  const unknown: Uuid[] = [];
  for (const parkId of which === 'all' ? [undefined] : which) {
    const count = await parking.retry(parkId);
    if (parkId !== undefined && count === 0) unknown.push(parkId);
    else yield `${parkId ?? count} tried with the next sweep`;
  }
  if (unknown.length === 0) return true;
  throw new Error(
    `${unknown.join(', ')} ${unknown.length === 1 ? 'is' : 'are'} not parked. recount park list prints what is.`,
  );
}

function subjectOf({ kind, subjectId, currency }: ParkedWork): string {
  switch (kind) {
    case 'run':
      return `billing of account ${subjectId}.${currency}`;
    case 'boundary':
      return `boundary of ${toWireId('sub', subjectId)}`;
    case 'past_due':
      return `past-due note of ${toWireId('invoice', subjectId)}`;
  }
}
