import { describe, expect, it } from '@jest/globals';
import { fromBase64, toBase64 } from '../../../src/transparency/domain/bytes.js';
import { formatCheckpoint, parseCheckpoint } from '../../../src/transparency/domain/checkpoint.js';
import {
  COSIGNATURE,
  cosignedText,
  formatNote,
  formatVerifierKey,
  noteKey,
  parseNote,
  parseVerifierKey,
  signaturesBy,
} from '../../../src/transparency/domain/note.js';
import { formatProof, parseProof } from '../../../src/transparency/domain/proof-text.js';
import { publicKeyOf, sha256, signEd25519, verifyEd25519 } from '../../support/transparency.js';

/** Keys and note of golang.org/x/mod/sumdb/note, example_test.go and note_test.go. */
const PETER = 'PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW';
const PETER_SEED = Buffer.from('AYEKFALVFGyNhPJEMzD1QIDr+Y7hfZx09iUvxdXHKDFz', 'base64').subarray(1);
const ENOCH = 'EnochRoot+af0cfe78+ATtqJ7zOtqQtYqOo0CpvDXNlMhV3HeJDpjrASKGLWdop';
const TEXT =
  "If you think cryptography is the answer to your problem,\nthen you don't know what your problem is.\n";
const PETER_SIGNS =
  '— PeterNeumann x08go/ZJkuBS9UG/SffcvIAQxVBtiFupLLr8pAcElZInNIuGUgYN1FFYC2pZSNXgKvqfqdngotpRZb6KE6RyyBwJnAM=\n';
const ENOCH_SIGNS =
  '— EnochRoot rwz+eBzmZa0SO3NbfRGzPCpDckykFXSdeX+MNtCOXm2/5n2tiOHp+vAF1aGrQ5ovTG01oOTGwnWLox33WWd1RvMc+QQ=\n';

/** Example of C2SP signed-note. */
const EXAMPLE_KEY = 'example.com/foo+530d903a+AekyeRrm56hApGFkyQR4ZCbV54Id2LKaANYcrnKv3U2k';
const EXAMPLE = `This is an example message.

— example.com/foo Uw2QOkn8srV1yJGh2VYRlL1Tnagv1YEq6TfXppzi2ONncAlTgK7Ztg1ERYNZXsYjOBH3mFXmRKuwHjG1Yu72IneyaQM=
`;

/** Example of C2SP tlog-cosignature: a checkpoint with a cosignature. */
const CHECKPOINT = `example.com/behind-the-sofa
20852163
CsUYapGGPo4dkMgIAUqom/Xajj7h2fB2MPA3j2jxq2I=

— example.com/behind-the-sofa Az3grlgtzPICa5OS8npVmf1Myq/5IZniMp+ZJurmRDeOoRDe4URYN7u5/Zhcyv2q1gGzGku9nTo+zyWE+xeMcTOAYQ8=
— witness.example.com/w1 jWbPPwAAAABkGFDLEZMHwSRaJNiIDoe9DYn/zXcrtPHeolMI5OWXEhZCB9dlrDJsX3b2oyin1nPZqhf5nNo0xUe+mbIUBkBIfZ+qnA==
`;

const key = (text: string) => parseVerifierKey(sha256, text);
const signersOf = (note: string, ...keys: string[]) =>
  signaturesBy(parseNote(note), keys.map(key), verifyEd25519).map(({ name }) => name);

describe('a signed note', () => {
  it('is verified with the published keys', () => {
    expect(signersOf(EXAMPLE, EXAMPLE_KEY)).toEqual(['example.com/foo']);
    const both = `${TEXT}\n${PETER_SIGNS}${ENOCH_SIGNS}`;
    expect(signersOf(both, PETER, ENOCH)).toEqual(['PeterNeumann', 'EnochRoot']);
    expect(signersOf(both, PETER)).toEqual(['PeterNeumann']);
    expect(signersOf(both)).toEqual([]);
  });

  it('is written as published, byte by byte', () => {
    const peter = noteKey(sha256, 'PeterNeumann', publicKeyOf(PETER_SEED));
    expect(formatVerifierKey(peter)).toBe(PETER);
    const signature = signEd25519(PETER_SEED, Buffer.from(TEXT));
    const signatures = [{ name: peter.name, keyId: peter.id, signature }];
    expect(formatNote({ text: TEXT, signatures })).toBe(`${TEXT}\n${PETER_SIGNS}`);
  });

  it('is refused when a known key did not sign it', () => {
    const changed = `${TEXT.replace('think', 'thank')}\n${PETER_SIGNS}`;
    expect(() => signersOf(changed, PETER)).toThrow('the signature of PeterNeumann with the key id c74f20a3');
  });

  it.each([
    ['no signature', `${TEXT}\n`],
    ['no text', PETER_SIGNS],
    ['no newline at its end', `${TEXT}\n${PETER_SIGNS.trimEnd()}`],
    ['a hyphen for the dash', `${TEXT}\n${PETER_SIGNS.replace('—', '-')}`],
    ['a control character', `${TEXT}\r\n${PETER_SIGNS}`],
    ['bits beyond the bytes', `${TEXT}\n${PETER_SIGNS.replace('AM=', 'AN=')}`],
    ['more signatures than anybody needs', `${TEXT}\n${PETER_SIGNS.repeat(101)}`],
  ])('is refused with %s', (_, note) => {
    expect(() => parseNote(note)).toThrow(expect.objectContaining({ name: 'MalformedText' }));
  });

  it.each([
    'PeterNeumann',
    'PeterNeumann+c74f20a4+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW',
    'PeterNeumann+173116ae+ZRpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW',
    'PeterNeumann+cc469956+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TWBADKEY==',
  ])('has no key %s', (text) => {
    expect(() => key(text)).toThrow(expect.objectContaining({ name: 'MalformedText' }));
  });
});

describe('a checkpoint', () => {
  it('is read and written as published', () => {
    const { text, signatures } = parseNote(CHECKPOINT);
    const checkpoint = parseCheckpoint(text);
    expect(checkpoint).toMatchObject({ origin: 'example.com/behind-the-sofa', size: 20_852_163 });
    expect(formatCheckpoint(checkpoint)).toBe(text);
    expect(formatNote({ text, signatures })).toBe(CHECKPOINT);
    expect(signatures.map(({ keyId }) => keyId)).toEqual(['033de0ae', '8d66cf3f']);
    expect(cosignedText(text, 1_679_315_147n)).toBe(`cosignature/v1\ntime 1679315147\n${text}`);
  });

  it('is verified with the key of a witness, for the time that the witness says', () => {
    const { text } = parseNote(CHECKPOINT);
    const witness = noteKey(sha256, 'witness.example.com/w1', publicKeyOf(PETER_SEED), COSIGNATURE);
    const cosign = (time: bigint) => {
      const seconds = Buffer.alloc(8);
      seconds.writeBigUInt64BE(time);
      const signature = signEd25519(PETER_SEED, Buffer.from(cosignedText(text, 1_679_315_147n)));
      const signed = {
        name: witness.name,
        keyId: witness.id,
        signature: Buffer.concat([seconds, signature]),
      };
      return { text, signatures: [signed] };
    };
    expect(signaturesBy(cosign(1_679_315_147n), [witness], verifyEd25519)).toEqual([witness]);
    expect(() => signaturesBy(cosign(1_679_315_148n), [witness], verifyEd25519)).toThrow('is wrong');
    expect(formatVerifierKey(witness)).toMatch(/^witness\.example\.com\/w1\+[0-9a-f]{8}\+B/);
    expect(key(formatVerifierKey(witness))).toEqual({ ...witness, publicKey: expect.anything() });
  });

  it.each([
    '\n1\nCsUYapGGPo4dkMgIAUqom/Xajj7h2fB2MPA3j2jxq2I=\n',
    'log\n01\nCsUYapGGPo4dkMgIAUqom/Xajj7h2fB2MPA3j2jxq2I=\n',
    'log\n-1\nCsUYapGGPo4dkMgIAUqom/Xajj7h2fB2MPA3j2jxq2I=\n',
    'log\n9007199254740992\nCsUYapGGPo4dkMgIAUqom/Xajj7h2fB2MPA3j2jxq2I=\n',
    'log\n1\nCsUYapGGPo4=\n',
    'log\n1\nCsUYapGGPo4dkMgIAUqom/Xajj7h2fB2MPA3j2jxq2I=',
    'log\n1\nCsUYapGGPo4dkMgIAUqom/Xajj7h2fB2MPA3j2jxq2I=\n\nmore\n',
  ])('is not %j', (text) => {
    expect(() => parseCheckpoint(text)).toThrow(expect.objectContaining({ name: 'MalformedText' }));
  });
});

describe('the text of a proof', () => {
  const hash = sha256(Buffer.from('a'));
  const proof = { extra: Buffer.from('{}'), index: 73_894, hashes: [hash, hash], checkpoint: CHECKPOINT };

  it('has the lines of the specification', () => {
    const line = toBase64(hash);
    const head = `c2sp.org/tlog-proof@v1\nextra e30=\nindex 73894\n${line}\n${line}\n\n`;
    expect(formatProof(proof)).toBe(head + CHECKPOINT);
    expect(parseProof(formatProof(proof))).toEqual({ ...proof, extra: expect.anything() });
    const short = { index: 0, hashes: [], checkpoint: CHECKPOINT };
    expect(formatProof(short)).toBe(`c2sp.org/tlog-proof@v1\nindex 0\n\n${CHECKPOINT}`);
    expect(parseProof(formatProof(short))).toEqual(short);
  });

  it.each([
    ['another version', (text: string) => text.replace('@v1', '@v2')],
    ['no index', (text: string) => text.replace('index 73894\n', '')],
    ['a leading zero', (text: string) => text.replace('73894', '073894')],
    ['a short hash', (text: string) => text.replace(toBase64(hash), 'AAAA')],
    ['64 hashes', () => formatProof({ ...proof, hashes: Array.from({ length: 64 }, () => hash) })],
  ])('is refused with %s', (_, change) => {
    expect(() => parseProof(change(formatProof(proof)))).toThrow(
      expect.objectContaining({ name: 'MalformedText' }),
    );
  });
});

describe('base64', () => {
  it('is that of Node, and has one text for some bytes', () => {
    for (let length = 0; length < 70; length++) {
      const bytes = Buffer.from(Array.from({ length }, (_, index) => (index * 37 + length) % 256));
      expect(toBase64(bytes)).toBe(bytes.toString('base64'));
      expect(Buffer.from(fromBase64(toBase64(bytes))!)).toEqual(bytes);
    }
    expect(['A', 'AA', 'AB==', 'AA=', 'A===', 'AA-_', '='].map(fromBase64)).toEqual(Array(7).fill(undefined));
  });
});
