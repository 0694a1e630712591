import { readFileSync } from 'node:fs';
import { InvalidArgumentError } from 'commander';
import { fileFault } from '../kernel/file-fault.js';
import { fromWireId, type Uuid } from '../kernel/ids.js';
import { parseInstant, type Instant } from '../kernel/instant.js';
import { isLongerThan } from '../kernel/text-length.js';
import { parseCheckpoint } from '../transparency/domain/checkpoint.js';
import { parseNote } from '../transparency/domain/note.js';

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
  if (name === '' || isLongerThan(name, 200))
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
  if (text.trim() === '' || !Number.isSafeInteger(number) || number < 0)
    throw new InvalidArgumentError('It must be a whole number.');
  return number;
}

/** Reads the size of a checkpoint that was kept as a file, or takes it as a number. */
export function sizeOfKept(text: string): number {
  if (/^\d{1,15}$/.test(text)) return Number(text);
  try {
    return parseCheckpoint(parseNote(readFileSync(text, 'utf8')).text).size;
  } catch (error) {
    const { message } = fileFault(error, text) as Error;
    throw new InvalidArgumentError(
      `It must be the size or the file of a checkpoint. ${message.replace(/([^.])$/, '$1.')}`,
    );
  }
}
