import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { Uuid } from '../../kernel/ids.js';
import { OpaquePositions } from '../../platform/privacy/vault.js';
import { FORMAT_VERSION } from '../evidence/domain/bundle-format.js';
import type { ExportBounds } from '../evidence/evidence-bundle.js';

const UP_TO = 'evidence bundle: newest event';
const PROVEN_BY = 'evidence bundle: checkpoint';

/** Names what writes the bytes of a bundle besides its bounds: the format and the library that packs. */
const WRITER = createHash('sha256')
  .update(`${FORMAT_VERSION} ${process.versions.zlib}`)
  .digest('base64url')
  .slice(0, 8);

/** Content of a bundle besides its bounds, which an erasure or a void changes. */
export interface BundledContent {
  readonly pdf?: Uint8Array | undefined;
  /** Tells whether the personal data is there; undefined where it was not asked for. */
  readonly hasPersonalData?: boolean | undefined;
}

/**
 * ETags of evidence bundles. A tag has the bounds of its bundle, encrypted, so the same bytes can be written again for a
 * download that was cut, and a hash of the content that may change.
 */
@Injectable()
export class BundleTags {
  constructor(private readonly positions: OpaquePositions) {}

  tagOf(org: Uuid, { upTo, checkpoint, cosignatures }: ExportBounds, content: BundledContent): string {
    const proof = { commit: BigInt(checkpoint ?? 0), prepare: BigInt(cosignatures) };
    const parts = [
      WRITER,
      this.positions.conceal(org, UP_TO, upTo),
      this.positions.conceal(org, PROVEN_BY, proof),
      ...hashOf(content),
    ];
    return `"${parts.join('.')}"`;
  }

  /**
   * Returns the bounds in a tag; undefined for any other text, and for the tag of another organization, writer or content.
   */
  boundsIn(org: Uuid, tag: string | undefined, content: BundledContent): ExportBounds | undefined {
    const [, parts = ''] = /^"([\w.-]+)"$/.exec(tag ?? '') ?? [];
    const [writer, first, second, ...others] = parts.split('.');
    if (writer !== WRITER || others.join('.') !== hashOf(content).join('.')) return undefined;
    const upTo = this.positions.reveal(org, UP_TO, first ?? '');
    const proof = this.positions.reveal(org, PROVEN_BY, second ?? '');
    if (!upTo || !proof) return undefined;
    const checkpoint = proof.commit === 0n ? null : Number(proof.commit);
    return { upTo, checkpoint, cosignatures: Number(proof.prepare) };
  }
}

/** Returns the part of a tag for content that may change; none for a bundle without it. */
function hashOf({ pdf, hasPersonalData }: BundledContent): string[] {
  if (!pdf && hasPersonalData === undefined) return [];
  const digest = createHash('sha256')
    .update(`${hasPersonalData} `)
    .update(pdf ?? '');
  return [digest.digest('base64url').slice(0, 16)];
}
