import { Webhook } from 'standardwebhooks';
import { describe, expect, it } from 'vitest';
import { buildSignature, createSecret } from '../../src/webhooks/sign.js';
import { systemRandomness } from '../../src/world/randomness.js';

/** The example of the Standard Webhooks specification and its libraries. */
const vector = {
  secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
  message: { id: 'msg_p5jXN8AQM9LWM0D4loKWxJek', timestamp_s: 1_614_265_330, body: '{"test": 2432232314}' },
  signature: 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
};

describe('buildSignature', () => {
  it("reproduces the specification's example", () => {
    expect(buildSignature([vector.secret], vector.message)).toBe(vector.signature);
  });

  it('writes one entry for each secret, in order', () => {
    const other = createSecret(systemRandomness);
    const signature = buildSignature([other, vector.secret], vector.message);
    expect(signature).toBe(`${buildSignature([other], vector.message)} ${vector.signature}`);
  });

  it('is accepted by the library that receivers use, for either secret and any text', () => {
    const secrets = [createSecret(systemRandomness), createSecret(systemRandomness)];
    const body = JSON.stringify({ id: 'evt_1', title: 'Tasse – größer 🧶' });
    const timestamp_s = Math.floor(Date.now() / 1000);
    const headers = {
      'webhook-id': 'evt_1',
      'webhook-timestamp': String(timestamp_s),
      'webhook-signature': buildSignature(secrets, { id: 'evt_1', timestamp_s, body }),
    };
    for (const secret of secrets) expect(new Webhook(secret).verify(body, headers)).toEqual(JSON.parse(body));
    expect(() => new Webhook(createSecret(systemRandomness)).verify(body, headers)).toThrow(
      'No matching signature',
    );
    expect(() => new Webhook(secrets[0] ?? '').verify(`${body} `, headers)).toThrow('No matching signature');
  });
});

describe('createSecret', () => {
  it('returns 32 bytes in base64 after its prefix, different each time', () => {
    const secrets = Array.from({ length: 50 }, () => createSecret(systemRandomness));
    expect(new Set(secrets).size).toBe(50);
    for (const secret of secrets) expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
  });
});
