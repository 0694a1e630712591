import ipaddr from 'ipaddr.js';
import { TooManyRequests } from '../rate-limits/too-many-requests.js';
import { TokenBuckets } from '../rate-limits/token-buckets.js';

/** Wrong keys that an address may send at once, and one after the other. */
const AT_ONCE = 100;
const PER_SECOND = 10;
const MOST_ADDRESSES = 10_000;

/** Throttles those who try keys, by address. */
export class InvalidKeyThrottle {
  readonly #buckets: TokenBuckets;

  constructor(now?: () => number) {
    this.#buckets = new TokenBuckets(AT_ONCE, PER_SECOND, MOST_ADDRESSES, now);
  }

  /** Before a key is looked up that may be wrong. @throws TooManyRequests */
  admit(address: string): void {
    const network = networkOf(address);
    const seconds = this.#buckets.secondsUntilNext(network);
    if (seconds > 0) {
      throw new TooManyRequests('Your address sent too many unknown API keys.', Math.ceil(seconds));
    }
    this.#buckets.take(network, 1);
  }

  /** The key was right after all. */
  refund(address: string): void {
    this.#buckets.take(networkOf(address), -1);
  }
}

/** One caller's addresses: an IPv4 address, or the /64 that IPv6 gives to one host or one line. */
export function networkOf(address: string): string {
  if (!ipaddr.isValid(address)) return address;
  const parsed = ipaddr.process(address);
  if (parsed instanceof ipaddr.IPv4) return parsed.toString();
  const network = parsed.parts.slice(0, 4).map((part) => part.toString(16));
  return `${network.join(':')}::/64`;
}
