import type { WantedRevisions } from '../../eventsourcing/command-runner/resource-version.js';
import { InvalidRequest } from '../problems/invalid-request.js';

/** One strong or weak entity tag (RFC 9110 section 8.8.3). */
const TAG = /^(W\/)?"([\x21\x23-\x7e]*)"$/;

export const etagOf = (revision: bigint): string => `"${revision}"`;

/** `"3"`, `"3", "4"` or `*`. A weak tag is never the same as a strong one. @throws InvalidRequest */
export function readIfMatch(header: string | undefined): WantedRevisions | undefined {
  if (header === undefined) return undefined;
  if (header.trim() === '*') return 'any';
  const tags = header.split(',').map((text) => TAG.exec(text.trim()));
  if (tags.some((tag) => tag === null)) {
    throw new InvalidRequest({
      code: 'invalid',
      detail: 'Send If-Match as an ETag was answered, with its quotes.',
      attr: 'If-Match',
    });
  }
  return new Set(tags.flatMap((tag) => (tag![1] ? [] : [tag![2]!])));
}
