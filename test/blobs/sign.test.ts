import { expect, it } from 'vitest';
import { createSigner } from '../../src/blobs/s3/sign.js';
import { createTestClock } from '../store/ports.js';

/** AWS publishes these requests with their signatures ("Signature Calculations: Transferring Payload in a Single Chunk"). */
const KEY = {
  region: 'us-east-1',
  access_key_id: 'AKIAIOSFODNN7EXAMPLE',
  secret_access_key: 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY',
};

it('a signature matches the examples that AWS published', async () => {
  const sign = createSigner(KEY, createTestClock('2013-05-24T00:00:00.000Z'));
  const host = 'https://examplebucket.s3.amazonaws.com';
  const listed = await sign('GET', new URL(`${host}/?max-keys=2&prefix=J`), {}, undefined);
  expect(listed['authorization']).toBe(
    'AWS4-HMAC-SHA256 Credential=AKIAIOSFODNN7EXAMPLE/20130524/us-east-1/s3/aws4_request, ' +
      'SignedHeaders=host;x-amz-content-sha256;x-amz-date, ' +
      'Signature=34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7',
  );
  const lifecycle = await sign('GET', new URL(`${host}/?lifecycle`), {}, undefined);
  expect(lifecycle['authorization']).toContain(
    'Signature=fea454ca298b7da1c68078a5d1bdbfbbe0d65c699e0f91ac7a200a0136783543',
  );
});
