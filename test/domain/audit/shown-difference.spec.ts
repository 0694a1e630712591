import { describe, expect, it } from '@jest/globals';
import { shownDifference } from '../../../verifier/browser/both-values.js';

const value = (one: string, other: string, member = '') => ({ member, one, other });

describe('a difference on the page of the verifier', () => {
  it.each([
    ['total: stored 1, recomputed 2', 'total', ['stored', 'recomputed'], [value('1', '2')]],
    [
      '260101-000001: lines: stored 1, found 2',
      '260101-000001: lines',
      ['stored', 'found'],
      [value('1', '2')],
    ],
    [
      'line 1: stored {"a":1,"b":2}, recomputed {"a":1,"b":3}',
      'line 1',
      ['stored', 'recomputed'],
      [value('2', '3', 'b')],
    ],
    [
      'usage/0001.jsonl: sha256 stated aa, found bb',
      'usage/0001.jsonl: sha256',
      ['stated', 'found'],
      [value('aa', 'bb')],
    ],
    [
      'the PDF: recorded with hash aa, it has with hash bb',
      'the PDF',
      ['recorded', 'it has'],
      [value('aa', 'bb')],
    ],
    [
      'the archive: byte 3 is 00, a bundle has 50',
      'the archive: byte 3',
      ['is', 'a bundle has'],
      [value('00', '50')],
    ],
    ['x, stored, recomputed', 'x, stored, recomputed', ['', ''], []],
  ])('is shown as two values: %s', (sentence, place, names, values) => {
    expect(shownDifference(sentence)).toEqual({ place, names, values });
  });

  it('of a forged bundle is read at once, however often its text has the words', () => {
    for (const words of [' stored a', ' stored a, foun', ' recorded as a, foun', ': byte 1 is 1']) {
      const sentence = words.repeat(150_000);
      expect(shownDifference(sentence)).toEqual({ place: sentence, names: ['', ''], values: [] });
    }
  });
});
