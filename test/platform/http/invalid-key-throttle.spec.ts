import { describe, expect, it } from '@jest/globals';
import { TokenBuckets } from '../../../src/platform/http/rate-limits/rate-limits.js';
import { networkOf, InvalidKeyThrottle } from '../../../src/platform/http/auth/authentication.js';

describe('wrong keys', () => {
  let now = 0;
  const keys = () => new InvalidKeyThrottle(() => now);
  const use = (wrong: InvalidKeyThrottle, address: string, times: number) => {
    for (let n = 0; n < times; n++) wrong.admit(address);
  };

  it('are looked up a hundred times at once and ten times a second, by address', () => {
    const wrong = keys();
    use(wrong, '192.0.2.1', 100);
    expect(() => wrong.admit('192.0.2.1')).toThrow(/unknown API keys/);
    use(wrong, '192.0.2.2', 100);
    now += 1_000;
    use(wrong, '192.0.2.1', 10);
    expect(() => wrong.admit('192.0.2.1')).toThrow(expect.objectContaining({ retryAfterSeconds: 1 }));
  });

  it('that turn out to be right do not count', () => {
    const wrong = keys();
    for (let n = 0; n < 300; n++) {
      wrong.admit('192.0.2.1');
      wrong.refund('192.0.2.1');
    }
    use(wrong, '192.0.2.1', 100);
    expect(() => wrong.admit('192.0.2.1')).toThrow();
  });

  it.each([
    ['192.0.2.1', '192.0.2.1'],
    ['::ffff:192.0.2.1', '192.0.2.1'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:db8:1:2::1', '2001:db8:1:2::/64'],
    ['::1', '0:0:0:0::/64'],
    ['no address', 'no address'],
  ])('of %s count for %s', (address, network) => {
    expect(networkOf(address)).toBe(network);
  });
});

describe('token buckets', () => {
  it('are paid back before anything else is taken', () => {
    let now = 0;
    const buckets = new TokenBuckets(10, 10, 100, () => now);
    buckets.take('a', 35);
    expect(buckets.secondsUntilNext('a')).toBeCloseTo(2.6);
    now = 2_600;
    expect(buckets.secondsUntilNext('a')).toBe(0);
    expect(buckets.secondsUntilNext('b')).toBe(0);
  });

  it('hold no more than they may, and forget the key that was not used for longest', () => {
    let now = 0;
    const buckets = new TokenBuckets(1, 1, 2, () => now);
    for (const key of ['a', 'b', 'a', 'c']) buckets.take(key, 1);
    expect(['a', 'b', 'c'].map((key) => buckets.secondsUntilNext(key) > 0)).toEqual([true, false, true]);
    now = 60_000;
    buckets.take('a', 1);
    expect(buckets.secondsUntilNext('a')).toBe(1);
  });
});
