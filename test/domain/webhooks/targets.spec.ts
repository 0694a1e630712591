import { describe, expect, it } from '@jest/globals';
import { isInternal, resolvesToInternalAddress } from '../../../src/webhooks/sending/targets.js';

describe('a webhook is not sent', () => {
  it.each([
    '127.0.0.1',
    '127.9.9.9',
    '0.0.0.0',
    '10.1.2.3',
    '172.16.0.1',
    '172.31.255.255',
    '192.168.1.1',
    '169.254.169.254',
    '100.64.0.1',
    '198.18.0.1',
    '224.0.0.1',
    '255.255.255.255',
    '::',
    '::1',
    'fe80::1',
    'fc00::1',
    'fd12:3456::1',
    'ff02::1',
    '::ffff:10.0.0.1',
    '::ffff:7f00:1',
    '64:ff9b::a00:1',
    '2002:7f00:1::',
    '2001:0:7f00:1::',
  ])('to %s, which is private, loopback, link-local or no host', (address) => {
    expect(isInternal(address)).toBe(true);
  });

  it.each(['8.8.8.8', '172.32.0.1', '93.184.216.34', '2606:4700::1111', '::ffff:8.8.8.8'])(
    'but %s is outside',
    (address) => {
      expect(isInternal(address)).toBe(false);
    },
  );

  it.each([
    'http://127.0.0.1/',
    'http://2130706433/',
    'http://0x7f.1/',
    'http://017700000001/',
    'http://[::1]/',
    'http://[::ffff:127.0.0.1]/',
    'http://localhost/',
  ])('to a host written as %s', async (url) => {
    expect(await resolvesToInternalAddress(new URL(url))).toBe(true);
  });
});
