import fc from 'fast-check';
import { Webhook } from 'standardwebhooks';
import { describe, expect, it } from 'vitest';
import { createSecret } from '../../../src/webhooks/sign.js';
import { findForgery } from '../../../src/webhooks/intake/verify.js';
import { systemRandomness } from '../../../src/world/randomness.js';

/** The example of the Standard Webhooks specification and its libraries. */
const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
const RIGHT = 'g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=';
const AT_S = 1_614_265_330;
const MESSAGE = {
  id: 'msg_p5jXN8AQM9LWM0D4loKWxJek',
  timestamp: String(AT_S),
  signature: `v1,${RIGHT}`,
  body: Buffer.from('{"test": 2432232314}'),
};
const WRONG = Buffer.alloc(32).toString('base64');

const at = (offset_s: number) => new Date((AT_S + offset_s) * 1000);
const judge = (changes: object, secrets = [SECRET], now = at(0)) =>
  findForgery({ ...MESSAGE, ...changes }, secrets, now);

describe('the signature of a message', () => {
  it.each([
    ['the example of the specification', `v1,${RIGHT}`],
    ['an entry without its version', RIGHT],
    ['the right entry among others', `v1,${WRONG} v1a,${RIGHT} v1,${RIGHT}`],
    ['entries with more space between them', `v1,${WRONG}   v1,${RIGHT} `],
  ])('is accepted: %s', (_what, signature) => {
    expect(judge({ signature })).toBeUndefined();
  });

  it.each([
    ['another signature', { signature: `v1,${WRONG}` }, 'signature_wrong'],
    ['the right one under another version', { signature: `v2,${RIGHT}` }, 'signature_wrong'],
    ['a part of the right one', { signature: `v1,${RIGHT.slice(0, 20)}` }, 'signature_wrong'],
    ['an invalid signature', { signature: 'v1, , ,é' }, 'signature_wrong'],
    ['another body', { body: Buffer.from('{"test": 2432232315}') }, 'signature_wrong'],
    ['another id', { id: 'msg_1' }, 'signature_wrong'],
    ['another time', { timestamp: String(AT_S + 1) }, 'signature_wrong'],
    ['an invalid time', { timestamp: '1.6e9' }, 'timestamp_wrong'],
    ['no id', { id: undefined }, 'header_missing'],
    ['no time', { timestamp: undefined }, 'header_missing'],
    ['no signature', { signature: '' }, 'header_missing'],
  ])('is refused: %s', (_what, changes, words) => {
    expect(judge(changes)).toBe(words);
  });

  it('is valid for five minutes in either direction', () => {
    for (const offset_s of [-300, 0, 300]) expect(judge({}, [SECRET], at(offset_s))).toBeUndefined();
    for (const offset_s of [-301, 301]) {
      expect(judge({}, [SECRET], at(offset_s))).toBe('timestamp_far');
    }
  });

  it('is accepted if made with any configured secret, with or without the whsec_ prefix', () => {
    const other = createSecret(systemRandomness);
    expect(judge({}, [other, SECRET])).toBeUndefined();
    expect(judge({}, [SECRET.replace('whsec_', '')])).toBeUndefined();
    expect(judge({}, [other])).toBe('signature_wrong');
    expect(judge({}, [])).toBe('signature_wrong');
  });

  it('is accepted if standardwebhooks made it, and refused if anything in the message changes', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.uuid(), fc.nat(4), (text, id, spoilt) => {
        const secret = createSecret(systemRandomness);
        const signature = new Webhook(secret).sign(id, at(0), text);
        const message = { id, timestamp: String(AT_S), signature, body: Buffer.from(text) };
        const changes = [
          {},
          { id: `${id}x` },
          { body: Buffer.from(`${text} `) },
          { timestamp: String(AT_S - 1) },
          { signature: signature.replace(/.(?=.{10}$)/, (one) => (one === 'A' ? 'B' : 'A')) },
        ][spoilt];
        const forgery = findForgery({ ...message, ...changes }, [secret], at(0));
        expect(forgery === undefined).toBe(spoilt === 0);
      }),
    );
  });
});
