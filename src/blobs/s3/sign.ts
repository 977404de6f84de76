import type { Clock } from '../../core/ports/world.js';

export type BucketKey = { region: string; access_key_id: string; secret_access_key: string };

/**
 * The headers of a request with its signature (AWS Signature Version 4).
 * @param sha256 the SHA-256 of the body, against which the bucket checks the received bytes; undefined
 * without a body
 */
type Sign = (
  method: string,
  url: URL,
  headers: Readonly<Record<string, string>>,
  sha256: string | undefined,
) => Promise<Record<string, string>>;

export function createSigner({ region, access_key_id, secret_access_key }: BucketKey, clock: Clock): Sign {
  return async (method, url, headers, sha256 = EMPTY_SHA256) => {
    // Imported here, since most installations keep their files in a folder and never need it.
    const { AwsV4Signer } = await import('aws4fetch');
    const signer = new AwsV4Signer({
      method,
      url: url.href,
      headers: { ...headers, 'x-amz-content-sha256': sha256 },
      accessKeyId: access_key_id,
      secretAccessKey: secret_access_key,
      service: 's3',
      region,
      datetime: clock
        .now()
        .toISOString()
        .replace(/[:-]|\.\d{3}/g, ''),
    });
    const signed = await signer.sign();
    return Object.fromEntries(signed.headers);
  };
}

/** The SHA-256 of an empty body. */
const EMPTY_SHA256 = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855';
