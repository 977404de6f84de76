import { createCipheriv, createDecipheriv } from 'node:crypto';
import type { Randomness } from '../../core/ports/index.js';
import { StoreError } from '../store_error.js';

/** The row and column of a secret. It is bound to them: it cannot be decrypted if it was copied elsewhere. */
export type SecretPlace = { table: string; row: readonly (string | number)[]; column: string };

/** AES-256-GCM with a random nonce. Encrypted bytes: format (1), nonce (12), tag (16), ciphertext. */
export type Secrets = {
  seal(secret: string, place: SecretPlace): Buffer;
  /** Throws StoreError if the master key is another one, or the bytes were changed or moved. */
  unseal(sealed: Buffer, place: SecretPlace): string;
};

const CIPHER = 'aes-256-gcm';
const FORMAT = 1;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const HEAD_BYTES = 1 + NONCE_BYTES + TAG_BYTES;

/** @param master_key 32 bytes */
export function createSecrets(master_key: Buffer, randomness: Randomness): Secrets {
  return {
    seal(secret, place) {
      const nonce = randomness.bytes(NONCE_BYTES);
      const cipher = createCipheriv(CIPHER, master_key, nonce).setAAD(toAssociatedData(place));
      const text = Buffer.concat([cipher.update(secret, 'utf8'), cipher.final()]);
      return Buffer.concat([Buffer.of(FORMAT), nonce, cipher.getAuthTag(), text]);
    },
    unseal: createUnseal(master_key),
  };
}

/** @param master_key 32 bytes */
export function createUnseal(master_key: Buffer): Secrets['unseal'] {
  return (sealed, place) => {
    try {
      return open(master_key, sealed, place);
    } catch (cause) {
      throw new StoreError(
        `A secret in ${place.table}.${place.column} cannot be read: MASTER_KEY (or the file master.key) is not the key it was written with, or the row was changed.`,
        { cause },
      );
    }
  };
}

function open(master_key: Buffer, sealed: Buffer, place: SecretPlace): string {
  if (sealed[0] !== FORMAT || sealed.length < HEAD_BYTES) throw new Error('unknown format');
  const nonce = sealed.subarray(1, 1 + NONCE_BYTES);
  const tag = sealed.subarray(1 + NONCE_BYTES, HEAD_BYTES);
  const decipher = createDecipheriv(CIPHER, master_key, nonce, { authTagLength: TAG_BYTES })
    .setAAD(toAssociatedData(place))
    .setAuthTag(tag);
  return Buffer.concat([decipher.update(sealed.subarray(HEAD_BYTES)), decipher.final()]).toString('utf8');
}

function toAssociatedData(place: SecretPlace): Buffer {
  return Buffer.from(JSON.stringify([place.table, place.row, place.column]));
}
