import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { toMasterKey } from '../../../src/config/parse.js';
import { parseMasterKey } from '../../../src/store/secrets/master_key.js';
import { createSecrets } from '../../../src/store/secrets/secrets.js';
import { systemRandomness } from '../../../src/world/randomness.js';

const KEY = Buffer.alloc(32, 7);
const PLACE = { table: 't', row: ['a', 1], column: 'c' };

describe('secrets', () => {
  it('decrypts every text it encrypted', () => {
    const secrets = createSecrets(KEY, systemRandomness);
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (secret) => {
        expect(secrets.unseal(secrets.seal(secret, PLACE), PLACE)).toBe(secret);
      }),
    );
  });

  it('encrypts the same secret differently each time', () => {
    const secrets = createSecrets(KEY, systemRandomness);

    expect(secrets.seal('s', PLACE).equals(secrets.seal('s', PLACE))).toBe(false);
  });

  it('rejects any single flipped bit and any truncation', () => {
    const secrets = createSecrets(KEY, systemRandomness);
    const sealed = secrets.seal('secret', PLACE);
    for (let bit = 0; bit < sealed.length * 8; bit += 1) {
      const changed = Buffer.from(sealed);
      changed.writeUInt8(changed.readUInt8(bit >> 3) ^ (1 << (bit & 7)), bit >> 3);
      expect(() => secrets.unseal(changed, PLACE)).toThrow('cannot be read');
    }
    for (let length = 0; length < sealed.length; length += 1) {
      expect(() => secrets.unseal(sealed.subarray(0, length), PLACE)).toThrow('cannot be read');
    }
  });

  it('rejects another key and another place', () => {
    const sealed = createSecrets(KEY, systemRandomness).seal('secret', PLACE);
    const unseal = (key: Buffer, place: Parameters<ReturnType<typeof createSecrets>['unseal']>[1]) => () =>
      createSecrets(key, systemRandomness).unseal(sealed, place);

    expect(unseal(KEY, PLACE)()).toBe('secret');
    expect(unseal(Buffer.alloc(32, 8), PLACE)).toThrow(/MASTER_KEY .* is not the key it was written with/);
    expect(unseal(KEY, { ...PLACE, table: 'u' })).toThrow('cannot be read');
    expect(unseal(KEY, { ...PLACE, row: ['a', 2] })).toThrow('cannot be read');
    expect(unseal(KEY, { ...PLACE, row: ['a', '1'] })).toThrow('cannot be read');
    expect(unseal(KEY, { ...PLACE, column: 'd' })).toThrow('cannot be read');
  });
});

function accepts(parse: () => unknown): boolean {
  try {
    return parse() !== undefined;
  } catch {
    return false;
  }
}

describe('parseMasterKey', () => {
  it.each([
    KEY.toString('base64'),
    KEY.toString('base64').slice(0, -1),
    KEY.toString('hex'),
    Buffer.alloc(32, 255).toString('base64url'),
    `${KEY.toString('base64').slice(0, 20)} ${KEY.toString('base64').slice(20)}`,
    `${KEY.toString('base64')}=`,
    KEY.toString('base64').slice(1),
    '',
  ])('accepts exactly the keys the settings accept: %s', (text) => {
    expect(accepts(() => toMasterKey(text))).toBe(accepts(() => parseMasterKey(text, 'MASTER_KEY')));
  });

  it('accepts 32 bytes in base64 or hexadecimal', () => {
    expect(parseMasterKey(KEY.toString('base64'), 'MASTER_KEY')).toEqual(KEY);
    expect(parseMasterKey(KEY.toString('hex').toUpperCase(), 'MASTER_KEY')).toEqual(KEY);
  });

  it.each([
    '',
    'short',
    'a'.repeat(63),
    Buffer.alloc(31).toString('base64'),
    Buffer.alloc(33).toString('base64'),
  ])('refuses %j without repeating it in the error', (text) => {
    expect(() => parseMasterKey(text, 'MASTER_KEY')).toThrow(
      /^MASTER_KEY is not a key: give the base64 of 32 random bytes \(openssl rand -base64 32\) or 64 hexadecimal digits\.$/,
    );
  });
});
