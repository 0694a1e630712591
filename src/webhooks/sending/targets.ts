import { lookup as resolve, type LookupAddress } from 'node:dns';
import { BlockList, isIP, type LookupFunction } from 'node:net';

/** Where nothing may be sent to: this machine, the network it stands in, and what is no host. */
const INTERNAL = new BlockList();
for (const [network, bits] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 3],
] as const) {
  INTERNAL.addSubnet(network, bits, 'ipv4');
}
/** Allowed IPv6: only what is routed worldwide, without the ranges that contain an IPv4 address. */
const WORLDWIDE = new BlockList();
WORLDWIDE.addSubnet('2000::', 3, 'ipv6');
const EMBEDDING = new BlockList();
for (const [network, bits] of [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
] as const) {
  EMBEDDING.addSubnet(network, bits, 'ipv6');
}

export function isInternal(address: string): boolean {
  if (isIP(address) === 4) return INTERNAL.check(address, 'ipv4');
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1];
  if (mapped) return INTERNAL.check(mapped, 'ipv4');
  return !WORLDWIDE.check(address, 'ipv6') || EMBEDDING.check(address, 'ipv6');
}

/** The address that a host name is written as, if it is one: `[::1]` stands for `::1`. */
export function literalAddress({ hostname }: URL): string | undefined {
  const bare = hostname.replace(/^\[|\]$/g, '');
  return isIP(bare) === 0 ? undefined : bare;
}

/** Resolves a name for the very connection that is then made: no answer that comes later can lead inside. */
export const lookupOutside: LookupFunction = (hostname, options, done) => {
  resolve(hostname, { ...options, all: true }, (error, found) => {
    if (error) return done(error, '', 0);
    const addresses = found as LookupAddress[];
    const inside = addresses.find(({ address }) => isInternal(address));
    if (inside || !addresses[0]) return done(new TargetRefused(), '', 0);
    if (options.all) return done(null, addresses);
    return done(null, addresses[0].address, addresses[0].family);
  });
};

export class TargetRefused extends Error {
  override readonly name = 'TargetRefused';
  constructor() {
    super('the host is in a private network');
  }
}

/** Does the name lead inside now? A name that cannot be resolved now is asked again at each delivery. */
export async function leadsInside(url: URL): Promise<boolean> {
  const literal = literalAddress(url);
  if (literal !== undefined) return isInternal(literal);
  return new Promise((answer) =>
    lookupOutside(url.hostname, { all: true }, (error) => answer(error instanceof TargetRefused)),
  );
}
