import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { OpaquePositions, Vault } from '../../../src/platform/privacy/vault.js';

const ORG = '11111111-0000-4000-8000-000000000001';
const OTHER = '11111111-0000-4000-8000-000000000002';
const withKey = (byte: number) => new OpaquePositions(new Vault(Buffer.alloc(32, byte), undefined as never));

const positions = withKey(1);
const number = fc.bigInt({ min: 0n, max: 2n ** 63n - 1n });
const position = fc.record({ commit: number, prepare: number });

describe('a position that callers see', () => {
  it('is read back as it was, by every process with the same master key', () => {
    fc.assert(
      fc.property(position, (one) => {
        const text = positions.conceal(ORG, 'a', one);
        expect(withKey(1).reveal(ORG, 'a', text)).toEqual(one);
        expect(withKey(1).conceal(ORG, 'a', one)).toBe(text);
      }),
    );
  });

  it('is nothing to another organization, for another purpose or under another master key', () => {
    fc.assert(
      fc.property(position, (one) => {
        const text = positions.conceal(ORG, 'a', one);
        expect(positions.reveal(OTHER, 'a', text)).toBeUndefined();
        expect(positions.reveal(ORG, 'b', text)).toBeUndefined();
        expect(withKey(2).reveal(ORG, 'a', text)).toBeUndefined();
      }),
    );
  });

  it('is refused after any change of a bit, and in any other spelling', () => {
    const text = positions.conceal(ORG, 'a', { commit: 1n, prepare: 1n });
    const bytes = Buffer.from(text, 'base64url');
    for (let bit = 0; bit < bytes.length * 8; bit++) {
      const changed = Buffer.from(bytes);
      changed[bit >> 3]! ^= 1 << (bit & 7);
      expect(positions.reveal(ORG, 'a', changed.toString('base64url'))).toBeUndefined();
    }
    for (const spelling of [
      `${text}=`,
      ` ${text}`,
      text.slice(1),
      `${text}A`,
      bytes.toString('hex'),
      '',
      '1/1',
    ])
      expect(positions.reveal(ORG, 'a', spelling)).toBeUndefined();
  });

  it('tells nothing of its distance to another one: all are of one length and share no beginning', () => {
    const texts = [0n, 1n, 2n, 10n ** 6n, 2n ** 62n].map((commit) =>
      positions.conceal(ORG, 'a', { commit, prepare: commit }),
    );
    expect(new Set(texts.map((text) => text.length))).toEqual(new Set([43]));
    expect(new Set(texts.map((text) => text.slice(0, 4))).size).toBe(texts.length);
    expect(positions.conceal(OTHER, 'a', { commit: 1n, prepare: 1n })).not.toBe(texts[1]);
  });
});
