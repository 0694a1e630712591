/**
 * The formulas of docs/verification.md#formulas, implemented from that page alone. The file imports no product code,
 * which shows that the page suffices.
 */
import { createHash } from 'node:crypto';

const sha256 = (...parts: readonly (string | Buffer)[]): string =>
  parts.reduce((hash, part) => hash.update(part), createHash('sha256')).digest('hex');

const canonical = (value: unknown): string => {
  if (Array.isArray(value)) return `[${value.map(canonical).join()}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const members = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${members.map(([name, member]) => `${JSON.stringify(name)}:${canonical(member)}`).join()}}`;
};

export const hashOf = (value: unknown): string => sha256(canonical(value));

export const digestOf = (bodyHashesById: ReadonlyMap<string, string>): string =>
  sha256(
    ...[...bodyHashesById]
      .sort(([a], [b]) => Buffer.compare(Buffer.from(a), Buffer.from(b)))
      .map(([, hash]) => Buffer.from(hash, 'hex')),
  );

export const resultHashOf = (invoice: Record<string, unknown>): string => {
  const { costDue, drawdowns, grants, lines, reductions, total } = invoice;
  return hashOf({ costDue, drawdowns, grants, lines, reductions, total });
};

export const chainHashesOf = (resultHashes: readonly string[]): string[] => {
  let chain = '';
  return resultHashes.map((resultHash) => (chain = sha256(chain + resultHash)));
};

export const eventIdOf = (commandId: string, stream: string, index: number): string => {
  const namespace = Buffer.from(commandId.replaceAll('-', ''), 'hex');
  const bytes = createHash('sha1').update(namespace).update(`${stream}#${index}`).digest().subarray(0, 16);
  bytes[6] = (bytes[6]! & 0x0f) | 0x50;
  bytes[8] = (bytes[8]! & 0x3f) | 0x80;
  return bytes.toString('hex').replace(/(.{8})(.{4})(.{4})(.{4})(.{12})/, '$1-$2-$3-$4-$5');
};
