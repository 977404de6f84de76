import { generateKeyPairSync, randomBytes, sign } from 'node:crypto';

/** A self-signed certificate for one host name, made for one test: its key is stored nowhere. */
export function buildCertificate(hostname: string): { key: string; cert: string } {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const name = sequence(set(sequence(oid('550403'), tlv(0x0c, Buffer.from(hostname)))));
  const algorithm = sequence(oid('2a8648ce3d040302'));
  const alternative_names = sequence(tlv(0x82, Buffer.from(hostname)));
  const to_be_signed = sequence(
    tlv(0xa0, tlv(0x02, Buffer.from([2]))),
    tlv(0x02, Buffer.concat([Buffer.from([1]), randomBytes(8)])),
    algorithm,
    name,
    sequence(time('20200101000000Z'), time('20991231000000Z')),
    name,
    publicKey.export({ type: 'spki', format: 'der' }),
    tlv(0xa3, sequence(sequence(oid('551d11'), tlv(0x04, alternative_names)))),
  );
  const signature = sign('sha256', to_be_signed, privateKey);
  const certificate = sequence(
    to_be_signed,
    algorithm,
    tlv(0x03, Buffer.concat([Buffer.from([0]), signature])),
  );
  return {
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    cert: `-----BEGIN CERTIFICATE-----\n${certificate.toString('base64')}\n-----END CERTIFICATE-----\n`,
  };
}

function tlv(tag: number, body: Buffer): Buffer {
  if (body.length < 0x80) return Buffer.concat([Buffer.from([tag, body.length]), body]);
  return Buffer.concat([Buffer.from([tag, 0x82, body.length >> 8, body.length & 0xff]), body]);
}

const sequence = (...parts: readonly Buffer[]): Buffer => tlv(0x30, Buffer.concat(parts));
const set = (...parts: readonly Buffer[]): Buffer => tlv(0x31, Buffer.concat(parts));
const oid = (hexadecimal: string): Buffer => tlv(0x06, Buffer.from(hexadecimal, 'hex'));
const time = (text: string): Buffer => tlv(0x18, Buffer.from(text));
