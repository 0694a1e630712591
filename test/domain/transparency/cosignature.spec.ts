import { describe, expect, it } from '@jest/globals';
import { formatAddCheckpoint, parseCosignedSize } from '../../../src/transparency/domain/add-checkpoint.js';
import { fromBase64 } from '../../../src/transparency/domain/bytes.js';
import {
  cosignatureBy,
  cosignaturesOf,
  parseWitnessKey,
  shownTime,
} from '../../../src/transparency/domain/cosignature.js';
import { parseNote } from '../../../src/transparency/domain/note.js';
import { sha256, verifyEd25519 } from '../../support/transparency.js';
import { TestWitness } from '../../support/witness.js';

/** Example of C2SP tlog-cosignature. */
const TEXT = `example.com/behind-the-sofa
20852163
CsUYapGGPo4dkMgIAUqom/Xajj7h2fB2MPA3j2jxq2I=
`;
const LOG_LINE =
  '— example.com/behind-the-sofa Az3grlgtzPICa5OS8npVmf1Myq/5IZniMp+ZJurmRDeOoRDe4URYN7u5/Zhcyv2q1gGzGku9nTo+zyWE+xeMcTOAYQ8=\n';
const WITNESS_LINE =
  '— witness.example.com/w1 jWbPPwAAAABkGFDLEZMHwSRaJNiIDoe9DYn/zXcrtPHeolMI5OWXEhZCB9dlrDJsX3b2oyin1nPZqhf5nNo0xUe+mbIUBkBIfZ+qnA==\n';

/** Example request of C2SP tlog-witness. */
const PROOF = [
  'PlRNCrwHpqhGrupue0L7gxbjbMiKA9temvuZZDDpkaw=',
  'jrJZDmY8Y7SyJE0MWLpLozkIVMSMZcD5kvuKxPC3swk=',
  '5+pKlUdi2LeF/BcMHBn+Ku6yhPGNCswZZD1X/6QgPd8=',
  '/6WVhPs2CwSsb5rYBH5cjHV/wSmA79abXAwhXw3Kj/0=',
];
const NOTE = `${TEXT}\n${LOG_LINE}— example.com/behind-the-sofa opLqBQsREYCgu6xQkYQwJr9fo45a62DN9EdmHXnZdXNqlcVGlCum2Wks+49/V6267UEjw6QUXTS5Rovnzv++qbSzm9Q=
`;

/** Key and signature of github.com/transparency-dev/formats, note_cosigv1_test.go. */
const REMORA = 'remora.n621.de+da77ade7+BOvN63jn/bLvkieywe8R6UYAtVtNbZpXh34x7onlmtw2';
const SIGNATURE =
  'ZGhGuQAAAABm/qTPeyKXD+R2rzyQsxPiP8mXum7qq/iF0u4vanlqJyocWODBt97w9uL+8qT7S5gxEHWWOworDcFiEBYJXORmnFBOBA==';

const witness = new TestWitness('witness.example/w1', 5);
const key = parseWitnessKey(sha256, witness.key);
const read = (note: string) => cosignatureBy(parseNote(note), key, verifyEd25519);

describe('a cosignature', () => {
  it('has the time of the published ones', () => {
    const [published] = cosignaturesOf(TEXT, WITNESS_LINE);
    expect(published).toEqual({
      witness: 'witness.example.com/w1',
      keyId: '8d66cf3f',
      time: 1_679_315_147,
      line: WITNESS_LINE,
    });
    expect(shownTime(published!)).toBe('2023-03-20T12:25:47Z');
    expect(cosignaturesOf(TEXT, `— a ${SIGNATURE}\n`)[0]!.time).toBe(1_727_964_367);
  });

  it('is read with a published key, but not with that of a log', () => {
    expect(parseWitnessKey(sha256, REMORA)).toMatchObject({ name: 'remora.n621.de', id: 'da77ade7' });
    const log = 'example.com/foo+530d903a+AekyeRrm56hApGFkyQR4ZCbV54Id2LKaANYcrnKv3U2k';
    expect(() => parseWitnessKey(sha256, log)).toThrow('the key example.com/foo is not that of a witness');
  });

  it('is that of the witness who signed, for the time that it signed', () => {
    witness.now = () => 1_679_315_147;
    const line = witness.cosign(TEXT);
    expect(read(`${TEXT}\n${LOG_LINE}${line}`)).toEqual({
      witness: witness.name,
      keyId: key.id,
      time: 1_679_315_147,
      line,
    });
    expect(read(`${TEXT}\n${LOG_LINE}${WITNESS_LINE}`)).toBeUndefined();
    const another = Buffer.from(line.split(' ')[2]!, 'base64');
    another.writeBigUInt64BE(1_679_315_148n, 4);
    expect(() => read(`${TEXT}\n— ${witness.name} ${another.toString('base64')}\n`)).toThrow('is wrong');
    expect(() => read(`${TEXT.replace('20852163', '20852164')}\n${line}`)).toThrow('is wrong');
  });

  it.each([0, 253_402_300_800])('has not the time %d', (time) => {
    witness.now = () => time;
    expect(() => read(`${TEXT}\n${witness.cosign(TEXT)}`)).toThrow(`has the time ${time}, which is none`);
  });
});

describe('a request for a cosignature', () => {
  it('has the lines of the published one', () => {
    const proof = PROOF.map((hash) => fromBase64(hash)!);
    expect(formatAddCheckpoint({ oldSize: 20_852_014, proof, note: NOTE })).toBe(
      `old 20852014\n${PROOF.join('\n')}\n\n${NOTE}`,
    );
    expect(formatAddCheckpoint({ oldSize: 0, proof: [], note: NOTE })).toBe(`old 0\n\n${NOTE}`);
  });

  it('is answered with the size that the witness has cosigned', () => {
    expect(parseCosignedSize('20852014\n')).toBe(20_852_014);
    for (const body of ['', '1', '01\n', '-1\n', '1\n\n', 'none\n', '9007199254740992\n']) {
      expect(() => parseCosignedSize(body)).toThrow(expect.objectContaining({ name: 'MalformedText' }));
    }
  });
});
