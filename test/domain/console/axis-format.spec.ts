import { describe, expect, it } from '@jest/globals';
import { compactAmountFormat, compactNumberFormat } from '../../../console/src/charts/axis-format.js';

describe('the format of an axis', () => {
  it.each([
    [0, '$0'],
    [0.25, '$0.25'],
    [1050, '$1.05K'],
    [1125, '$1.125K'],
    [-7500, '-$7.5K'],
    [2_250_000, '$2.25M'],
  ])('shows the amount %d as %s, which is no other amount', (value, text) => {
    expect(compactAmountFormat('en-US', 'USD')(value)).toBe(text);
  });

  it('shows numbers likewise', () => {
    expect([0.125, 350, 1950].map(compactNumberFormat('en-US'))).toEqual(['0.125', '350', '1.95K']);
  });
});
