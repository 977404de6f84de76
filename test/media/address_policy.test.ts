import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createAddressPolicy, toCanonicalAddress } from '../../src/media/fetching/address_policy.js';

const HOSTILE = [
  // This network, private, shared, loopback, link-local
  '0.0.0.0',
  '0.0.0.1',
  '0.255.255.255',
  '10.0.0.1',
  '10.255.255.255',
  '100.64.0.1',
  '100.127.255.255',
  '100.100.100.200',
  '127.0.0.1',
  '127.1.2.3',
  '127.255.255.255',
  '169.254.0.1',
  '169.254.169.254',
  '169.254.170.2',
  '172.16.0.1',
  '172.31.255.255',
  '192.168.0.1',
  '192.168.255.255',
  '168.63.129.16',
  // Protocol assignments, documentation, relays, benchmarking, multicast, reserved, broadcast
  '192.0.0.1',
  '192.0.0.170',
  '192.0.0.192',
  '192.0.2.1',
  '192.31.196.1',
  '192.52.193.1',
  '192.88.99.1',
  '192.175.48.1',
  '198.18.0.1',
  '198.19.255.255',
  '198.51.100.7',
  '203.0.113.9',
  '224.0.0.1',
  '239.255.255.250',
  '240.0.0.1',
  '255.255.255.255',
  // IPv6: unspecified, loopback, IPv4 within, discard, unallocated, local, multicast
  '::',
  '::1',
  '::2',
  '::7f00:1',
  '::127.0.0.1',
  '::8.8.8.8',
  '::a9fe:a9fe',
  '::ffff:127.0.0.1',
  '::ffff:7f00:1',
  '::ffff:10.0.0.1',
  '::FFFF:192.168.0.1',
  '::ffff:169.254.169.254',
  '::ffff:a83f:8110',
  '::ffff:0:127.0.0.1',
  '::ffff:0:7f00:1',
  '64:ff9b::7f00:1',
  '64:ff9b::8.8.8.8',
  '64:ff9b::a9fe:a9fe',
  '64:ff9b:1::1',
  '100::1',
  '1000::1',
  '1fff:ffff::1',
  '4000::1',
  '5f00::1',
  '8000::1',
  'e000::1',
  'fc00::1',
  'fd00::1',
  'fd00:ec2::254',
  'fd00:ec2::23',
  'fd20:ce::254',
  'fdff:ffff::1',
  'fe80::1',
  'fe80::1%eth0',
  'fe80::a9fe:a9fe',
  'febf::1',
  'fec0::1',
  'ff00::1',
  'ff02::1',
  'ff0e::1',
  // Teredo, benchmarking, AMT, AS112, ORCHID, drone ids, documentation, 6to4
  '2001::1',
  '2001:0:7f00:1::',
  '2001:1::1',
  '2001:2::1',
  '2001:3::1',
  '2001:4:112::1',
  '2001:10::1',
  '2001:20::1',
  '2001:30::1',
  '2001:db8::1',
  '2001:db8:ffff::1',
  '2620:4f:8000::1',
  '3fff::1',
  '2002::1',
  '2002:7f00:1::1',
  '2002:c0a8:1::1',
  // Not addresses, though some parsers accept them
  '',
  'localhost',
  '127.1',
  '2130706433',
  '0x7f000001',
  '0177.0.0.1',
  '0x7f.1',
  '8.8.8.8 ',
  '8.8.8.8%eth0',
  '8.8.8.8/32',
  '8.8.8',
  '8.8.8.8.8',
  '256.1.1.1',
  '[::1]',
  '::ffff:8.8.8.256',
  '2606::1::2',
  '08.8.8.8',
] as const;

const PUBLIC = [
  '1.1.1.1',
  '8.8.8.8',
  '9.255.255.255',
  '11.0.0.0',
  '100.63.255.255',
  '100.128.0.0',
  '128.0.0.1',
  '168.63.129.15',
  '172.15.255.255',
  '172.32.0.0',
  '192.0.1.0',
  '192.167.255.255',
  '198.17.255.255',
  '198.20.0.0',
  '223.255.255.255',
  '::ffff:8.8.8.8',
  '2606:4700:4700::1111',
  '2a00:1450:4001:82a::200e',
  '2001:4860:4860::8888',
  '2001:200::1',
  '3ffe:ffff::1',
  '2003::1',
] as const;

describe('an address policy without exemptions', () => {
  const policy = createAddressPolicy([]);

  it.each(HOSTILE)('refuses %s', (address) => {
    expect([policy.isAllowed(address), policy.isExempt(address)]).toEqual([false, false]);
  });

  it.each(PUBLIC)('allows %s', (address) => {
    expect([policy.isAllowed(address), policy.isExempt(address)]).toEqual([true, false]);
  });

  it('judges an IPv4 address and its mapped form the same', () => {
    fc.assert(
      fc.property(fc.ipV4(), (address) => {
        expect(policy.isAllowed(`::ffff:${address}`)).toBe(policy.isAllowed(address));
      }),
      { numRuns: 1_000 },
    );
  });

  it('allows no IPv6 address outside 2000::/3 unless it is a mapped one', () => {
    fc.assert(
      fc.property(fc.ipV6(), (address) => {
        const canonical = toCanonicalAddress(address);
        const isGlobal =
          canonical === undefined || !canonical.includes(':') || /^[23][0-9a-f]{3}:/.test(canonical);
        expect(isGlobal || !policy.isAllowed(address)).toBe(true);
      }),
      { numRuns: 1_000 },
    );
  });
});

describe('an address policy with exemptions', () => {
  const policy = createAddressPolicy(['127.0.0.0/8', '::1/128', '192.168.7.0/24', 'fd12::/16']);

  it.each(['127.0.0.1', '::ffff:127.0.0.1', '::1', '192.168.7.9', 'fd12::5'])('allows %s', (address) => {
    expect([policy.isAllowed(address), policy.isExempt(address)]).toEqual([true, true]);
  });

  it.each(['192.168.8.1', 'fd13::5', '::2', '::127.0.0.1', '10.0.0.1'])('still refuses %s', (address) => {
    expect([policy.isAllowed(address), policy.isExempt(address)]).toEqual([false, false]);
  });

  it.each([
    '169.254.169.254',
    '::ffff:169.254.169.254',
    '168.63.129.16',
    '100.100.100.200',
    '192.0.0.192',
    'fe80::1',
    'fd00:ec2::254',
    'fd20:ce::254',
    '64:ff9b::a9fe:a9fe',
    '2002:a9fe:a9fe::1',
    '::a9fe:a9fe',
    '2001::1',
    '::ffff:0:a9fe:a9fe',
  ])('never allows %s, even if everything is exempt', (address) => {
    const everything = createAddressPolicy(['0.0.0.0/0', '::/0']);
    expect([everything.isAllowed(address), everything.isExempt(address)]).toEqual([false, false]);
  });

  it.each(['10.0.0.1', '10.0.0.0/33', '010.0.0.0/8', '10/8', 'example.com/8', '::1', '::/129', ''])(
    'names the setting if "%s" is not a CIDR',
    (cidr) => {
      expect(() => createAddressPolicy([cidr])).toThrow(
        `EGRESS_ALLOW_CIDRS: "${cidr}" is not a CIDR; write for example 192.168.1.0/24 or fd12::/16.`,
      );
    },
  );
});
