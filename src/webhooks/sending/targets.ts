import type { LookupAddress } from 'node:dns';
import { Resolver } from 'node:dns/promises';
import { BlockList, isIP, type LookupFunction } from 'node:net';

/** Forbidden IPv4 targets: this machine, private networks and addresses that are no host. */
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
/** Allowed IPv6 targets: globally routed addresses, without ranges that embed an IPv4 address. */
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

/** Returns the IP address in the host of a URL, `::1` for `[::1]`; undefined for a name. */
export function literalAddress({ hostname }: URL): string | undefined {
  const bare = hostname.replace(/^\[|\]$/g, '');
  return isIP(bare) === 0 ? undefined : bare;
}

/** A question is sent twice. A name server that is silent costs about 7 s of the 15 s of a try. */
const QUESTIONS = { timeout: 2_000, tries: 2 };

/**
 * Makes the resolver of one lookup, with the name servers that the system has then. It asks them over sockets of its own.
 * `dns.lookup` waits in one of two threads of the process: twenty names whose name server is silent, all of one tenant,
 * would stop the lookups of every other connection for minutes.
 */
const makeResolver = (): Resolver => new Resolver(QUESTIONS);

/** Names of this machine, which no name server knows (RFC 6761). */
const LOCAL_NAME = /(?:^|\.)localhost\.?$/i;

/**
 * Resolves and checks the name for each connection, so that a later DNS answer cannot lead to an internal
 * address.
 */
export const lookupOutsideWith =
  (resolverOf: () => Resolver): LookupFunction =>
  (hostname, options, done) => {
    addressesOf(hostname, resolverOf()).then(
      (addresses) => {
        if (addresses.some(({ address }) => isInternal(address))) done(new TargetRefused(), '', 0);
        else if (options.all) done(null, addresses);
        else done(null, addresses[0]!.address, addresses[0]!.family);
      },
      (error: NodeJS.ErrnoException) => done(error, '', 0),
    );
  };

export const lookupOutside = lookupOutsideWith(makeResolver);

/** @returns at least one address @throws Error of the resolver, or TargetRefused */
async function addressesOf(hostname: string, resolver: Resolver): Promise<LookupAddress[]> {
  if (LOCAL_NAME.test(hostname)) throw new TargetRefused();
  const [four, six] = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)]);
  const addresses = [
    ...(four.status === 'fulfilled' ? four.value.map((address) => ({ address, family: 4 })) : []),
    ...(six.status === 'fulfilled' ? six.value.map((address) => ({ address, family: 6 })) : []),
  ];
  if (addresses.length === 0) throw four.status === 'rejected' ? four.reason : new TargetRefused();
  return addresses;
}

export class TargetRefused extends Error {
  override readonly name = 'TargetRefused';
  constructor() {
    super('the host is in a private network');
  }
}

/** Tells whether the host resolves to an internal address now. Every delivery checks it again. */
export async function resolvesToInternalAddress(url: URL): Promise<boolean> {
  const literal = literalAddress(url);
  if (literal !== undefined) return isInternal(literal);
  return new Promise((answer) =>
    lookupOutside(url.hostname, { all: true }, (error) => answer(error instanceof TargetRefused)),
  );
}
