import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

type Address = ReturnType<typeof ipaddr.parse>;
type Cidr = [Address, number];

/** Which addresses a URL from outside may lead to. Every text is an address as DNS or a socket prints it. */
export type AddressPolicy = {
  /** True if the configuration exempts at least some addresses. */
  has_exemptions: boolean;
  /** Inside the configured CIDRs: exempt from the address, port and name rules. */
  isExempt(address: string): boolean;
  /** Globally routed unicast, or exempt. */
  isAllowed(address: string): boolean;
};

/** Throws an Error that quotes the first CIDR it cannot read. */
export function createAddressPolicy(egress_allow_cidrs: readonly string[]): AddressPolicy {
  const exemptions = egress_allow_cidrs.map(parseCidr);
  const isExempt = (text: string): boolean => {
    const address = parseAddress(text);
    if (address === undefined || isNeverReached(address)) return false;
    return isWithin(address, exemptions);
  };
  return {
    has_exemptions: exemptions.length > 0,
    isExempt,
    isAllowed: (text) => isPublic(text) || isExempt(text),
  };
}

/** The canonical form of an address (IPv4-mapped unwrapped); undefined for an invalid one. */
export function toCanonicalAddress(text: string): string | undefined {
  return parseAddress(text)?.toString();
}

/** Globally routed unicast, according to the IANA special-purpose registries of both families. */
function isPublic(text: string): boolean {
  const address = parseAddress(text);
  if (address === undefined || address.range() !== 'unicast') return false;
  if (address.kind() === 'ipv6' && !isWithin(address, GLOBAL_IPV6)) return false;
  return !isNeverReached(address) && !isWithin(address, SPECIAL);
}

function isNeverReached(address: Address): boolean {
  if (isWithin(address, NEVER)) return true;
  return isWithin(address, TRANSITION) && address.toString() !== '::1';
}

function parseAddress(text: string): Address | undefined {
  // isIP first: the library also reads octal, hexadecimal and short forms, which no resolver or socket prints.
  const family = isIP(text);
  if (family === 0 || text.includes('%')) return undefined;
  // `::127.0.0.1` is not mapped: a socket would connect to `::7f00:1`, while the library would read
  // 127.0.0.1.
  if (family === 6 && text.includes('.') && !/^::ffff:\d/i.test(text)) return undefined;
  return ipaddr.process(text);
}

function parseCidr(text: string): Cidr {
  const isValid = ipaddr.IPv4.isValidCIDRFourPartDecimal(text) || ipaddr.IPv6.isValidCIDR(text);
  if (!isValid) {
    throw new Error(
      `EGRESS_ALLOW_CIDRS: "${text}" is not a CIDR; write for example 192.168.1.0/24 or fd12::/16.`,
    );
  }
  return ipaddr.parseCIDR(text);
}

function isWithin(address: Address, ranges: readonly Cidr[]): boolean {
  return ranges.some(([base, bits]) => base.kind() === address.kind() && address.match(base, bits));
}

function toCidrs(texts: readonly string[]): Cidr[] {
  return texts.map((text) => ipaddr.parseCIDR(text));
}

const GLOBAL_IPV6 = toCidrs(['2000::/3']);

/** Link-local and the addresses at which clouds return credentials: no setting exempts them. */
const NEVER = toCidrs([
  '169.254.0.0/16',
  '168.63.129.16/32',
  '100.100.100.200/32',
  '192.0.0.192/32',
  'fe80::/10',
  'fd00:ec2::/32',
  'fd20:ce::/32',
]);

/**
 * Addresses with an embedded IPv4 address: their target cannot be judged, so no setting exempts them either.
 */
const TRANSITION = toCidrs([
  '::/96',
  '::ffff:0:0:0/96',
  '64:ff9b::/96',
  '64:ff9b:1::/48',
  '2001::/32',
  '2002::/16',
]);

const SPECIAL = toCidrs([
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.31.196.0/24',
  '192.52.193.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '192.175.48.0/24',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/3',
  '2001::/23',
  '2001:db8::/32',
  '2620:4f:8000::/48',
  '3fff::/20',
]);
