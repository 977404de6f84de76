import { createHash, createHmac } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

const DAY = /^(\d{8})T\d{6}Z$/;

/**
 * The problem with a request's signature, following the published AWS Signature Version 4, and with its body,
 * which the signature covers; undefined if valid. The server behind it accepts every signature.
 */
export function findSignatureProblem(
  request: Pick<IncomingMessage, 'method' | 'url' | 'headers'>,
  body: Buffer,
  key: { access_key_id: string; secret_access_key: string },
  now: Date,
):
  | 'InvalidAccessKeyId'
  | 'SignatureDoesNotMatch'
  | 'RequestTimeTooSkewed'
  | 'XAmzContentSHA256Mismatch'
  | undefined {
  const { headers, method = '', url = '' } = request;
  const parts =
    /^AWS4-HMAC-SHA256 Credential=(.+?)\/(.+), SignedHeaders=(.+), Signature=([0-9a-f]{64})$/.exec(
      headers.authorization ?? '',
    );
  const [, access_key_id, scope = '', signed = '', signature] = parts ?? [];
  if (access_key_id !== key.access_key_id) return 'InvalidAccessKeyId';
  const time = String(headers['x-amz-date']);
  const [, day = ''] = DAY.exec(time) ?? [];
  const sent_ms = Date.parse(time.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, '$1-$2-$3T$4:$5:$6Z'));
  if (!(Math.abs(now.getTime() - sent_ms) <= 15 * 60_000)) return 'RequestTimeTooSkewed';
  const [path = '', query = ''] = url.split('?');
  const payload = String(headers['x-amz-content-sha256']);
  const names = signed.split(';');
  const canonical = [
    method,
    path
      .split('/')
      .map((part) => encode(decodeURIComponent(part)))
      .join('/'),
    toCanonicalQuery(query),
    ...names.map((name) => `${name}:${String(headers[name]).trim().replace(/\s+/g, ' ')}`),
    '',
    signed,
    payload,
  ].join('\n');
  const text = ['AWS4-HMAC-SHA256', time, scope, hash(canonical)].join('\n');
  const signing_key = [day, ...scope.split('/').slice(1)].reduce<string | Buffer>(
    (secret, part) => createHmac('sha256', secret).update(part).digest(),
    `AWS4${key.secret_access_key}`,
  );
  const right = createHmac('sha256', signing_key).update(text).digest('hex');
  const isScoped =
    scope.startsWith(`${day}/`) && scope.endsWith('/s3/aws4_request') && names.includes('host');
  if (!isScoped || right !== signature) return 'SignatureDoesNotMatch';
  return payload === hash(body) ? undefined : 'XAmzContentSHA256Mismatch';
}

function toCanonicalQuery(query: string): string {
  return query
    .split('&')
    .filter((pair) => pair !== '')
    .map((pair) => {
      const [name = '', value = ''] = pair
        .split('=')
        .map((part) => encode(decodeURIComponent(part.replace(/\+/g, ' '))));
      return `${name}=${value}`;
    })
    .toSorted()
    .join('&');
}

function encode(text: string): string {
  return encodeURIComponent(text).replace(
    /[!'()*]/g,
    (found) => `%${found.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}

function hash(bytes: string | Buffer): string {
  return createHash('sha256').update(bytes).digest('hex');
}
