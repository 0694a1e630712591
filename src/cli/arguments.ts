import { InvalidArgumentError } from 'commander';
import { fromWireId, type Uuid } from '../kernel/ids.js';
import { parseInstant, type Instant } from '../kernel/instant.js';

export const wireIdOf =
  (prefix: 'sub', subject: string) =>
  (text: string): Uuid => {
    const id = fromWireId(prefix, text);
    if (!id) throw new InvalidArgumentError(`It must be the id of ${subject}, ${prefix}_….`);
    return id;
  };

export function momentOf(text: string): Instant {
  const at = parseInstant(text);
  if (!at) throw new InvalidArgumentError('It must be a date and time, such as 2026-01-31T12:00:00Z.');
  return at;
}

export function organizationOf(text: string): Uuid {
  const org = fromWireId('org', text);
  if (!org) throw new InvalidArgumentError('It must be the id of an organization, org_….');
  return org;
}

export function organizationNameOf(text: string): string {
  const name = text.trim();
  if (name === '' || name.length > 200)
    throw new InvalidArgumentError('The name must have 1 to 200 characters.');
  return name;
}

export function countOf(text: string): number {
  const number = wholeNumberOf(text);
  if (number === 0) throw new InvalidArgumentError('It must be a whole number above 0.');
  return number;
}

export function wholeNumberOf(text: string): number {
  const number = Number(text);
  if (text.trim() === '' || !Number.isInteger(number) || number < 0)
    throw new InvalidArgumentError('It must be a whole number.');
  return number;
}
