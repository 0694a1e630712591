import { describe, expect, it } from '@jest/globals';
import { portsOf } from '../../demo/ports.js';

describe('ports of the demo', () => {
  it.each([
    [undefined, 3000, 3001],
    ['', 3000, 3001],
    [' 4000 ', 4000, 4001],
    ['1', 1, 2],
    ['65534', 65_534, 65_535],
    ['65535', 65_535, 65_534],
  ])('with PORT %j are %d, and %d for webhooks', (setting, service, webhooks) => {
    expect(portsOf(setting)).toEqual({ service, webhooks });
  });

  it.each(['0', '-1', '65536', '80.5', 'http'])('cannot be chosen with PORT %s, which is told', (setting) => {
    expect(() => portsOf(setting)).toThrow(`PORT must be a whole number from 1 to 65535, not "${setting}".`);
  });
});
