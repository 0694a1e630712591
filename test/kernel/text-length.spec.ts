import { describe, expect, it } from '@jest/globals';
import { maxLength } from 'class-validator';
import fc from 'fast-check';
import { isLongerThan } from '../../src/kernel/text-length.js';

describe('the length of a text', () => {
  it('is counted as in bodies that class-validator checks', () => {
    const unit = fc.constantFrom(
      'a',
      'ü',
      '中',
      '😀',
      '❤\ufe0f',
      '🏳\ufe0f',
      '\ufe0e',
      '\ufe0f',
      '\ud83d',
      '\ude00',
    );
    fc.assert(
      fc.property(fc.string({ unit, maxLength: 30 }), fc.integer({ min: 0, max: 20 }), (text, most) => {
        expect(isLongerThan(text, most)).toBe(!maxLength(text, most));
      }),
      { numRuns: 2_000 },
    );
  });

  it.each(['a', 'ü', '中', '😀', '❤\ufe0f', '🏳\ufe0f'])('counts %s as one character', (character) => {
    expect(isLongerThan(character.repeat(200), 200)).toBe(false);
    expect(isLongerThan(character.repeat(201), 200)).toBe(true);
    expect(isLongerThan(character.repeat(1_000_000), 200)).toBe(true);
  });
});
