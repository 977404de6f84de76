import { describe, expect, it } from 'vitest';
import { randomIds } from '../../src/world/ids.js';
import { systemClock } from '../../src/world/clock.js';
import { createLog } from '../../src/world/log.js';

function logOnce(fields: object): Record<string, unknown> {
  const lines: string[] = [];
  createLog('info', { write: (line) => lines.push(line) }).info('something happened', fields as never);
  return JSON.parse(lines.join('')) as Record<string, unknown>;
}

describe('the log', () => {
  it('hides secrets by name', () => {
    const fields = { headers: { Authorization: 'x', 'x-api-key': 'y:z' }, access_token: 't', secret: null };
    expect(logOnce(fields)).toMatchObject({
      msg: 'something happened',
      headers: { Authorization: '[secret]', 'x-api-key': '[secret]' },
      access_token: '[secret]',
      secret: null,
    });
  });

  it.each([
    [`key mls_${'a'.repeat(49)} used`, 'key mls_[secret] used'],
    ['whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw=', 'whsec_[secret]'],
    ['Bearer 12345678.jKBPLnOiYt7vpWlsny_lDKqINn4Ny_jwH89hA4IZgggyzqmV', 'Bearer [secret]'],
    ['token 12345678.jKBPLnOiYt7vpWlsny_lDKqINn4Ny', 'token [secret]'],
    [
      'AWS4-HMAC-SHA256 Credential=AKID/20260101/us-east-1/s3/aws4_request, Signature=0123abcd',
      'AWS4-HMAC-SHA256 Credential=[secret], Signature=[secret]',
    ],
    ['GET https://u:p@a.example/x?sig=1#f failed', 'GET https://a.example/x?[hidden] failed'],
    ['no postgres://me:p4ss@db:5432/listings', 'no postgres://db:5432/listings'],
    ['postgresql://db/x?user=me&password=p4ss', 'postgresql://db/x?user=me&password=[secret]'],
    ['http://a/upload/abcdefghijklmnopqrstuvwx', 'http://a/upload/[secret]'],
  ])('hides secrets by form: %s', (text, shown) => {
    expect(logOnce({ text })).toMatchObject({ text: shown });
    expect(logOnce({ error: new Error(text) })).toMatchObject({ error: { message: shown } });
  });

  it('has no control characters of a terminal', () => {
    const lines: string[] = [];
    const log = createLog('info', { write: (line) => lines.push(line) });
    log.warn('told', { text: 'a\u009b2Jb\u001b[2Jc\u007f', error: new Error('\u009b2J') });
    // oxlint-disable-next-line no-control-regex -- what may not be there is looked for
    expect(lines.join('').trimEnd()).not.toMatch(/[\u0000-\u001f\u007f-\u009f]/);
  });

  it('keeps an error, its code and its cause', () => {
    const error = Object.assign(new Error('a'), { code: 'E', cause: new Error('b') });
    expect(logOnce({ error })).toMatchObject({
      error: { name: 'Error', code: 'E', cause: { message: 'b' } },
    });
  });
});

describe('an id', () => {
  it('is a prefix and 22 digits of base62, and unique', () => {
    const made = Array.from({ length: 1_000 }, () => randomIds.build('job_'));
    for (const id of made) expect(id).toMatch(/^job_[0-9A-Za-z]{22}$/);
    expect(new Set(made).size).toBe(1_000);
  });
});

describe('the clock', () => {
  it('wakes with the reason of the abort', async () => {
    const controller = new AbortController();
    const sleeping = systemClock.sleep(60_000, controller.signal);
    controller.abort(new Error('enough'));
    await expect(sleeping).rejects.toThrow('enough');
    await systemClock.sleep(1);
  });
});
