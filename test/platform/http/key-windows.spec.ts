import { describe, expect, it } from '@jest/globals';
import { KeyWindows } from '../../../src/platform/http/key-windows.js';

describe('windows of a second', () => {
  it('count each key alone, refuse what is beyond the limit, and begin anew', () => {
    let now = 0;
    const windows = new KeyWindows(1_000, 2, () => now);
    expect([windows.take('a'), windows.take('a'), windows.take('a')]).toEqual([true, true, false]);
    expect(windows.take('b')).toBe(true);
    now = 999;
    expect(windows.take('a')).toBe(false);
    now = 1_000;
    expect([windows.take('a'), windows.take('a'), windows.take('a')]).toEqual([true, true, false]);
    now = 60_000;
    expect(windows.take('a')).toBe(true);
  });
});
