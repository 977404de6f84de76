import type { ContinuationStore } from '../../core/ports/index.js';
import { shiftTime, type Engine } from '../engine/engine.js';
import type { Tables } from '../schema.js';
import type { SecretPlace, Secrets } from '../secrets/secrets.js';

/**
 * Encrypted text is base64url, and begins with its expiry time. Taking adds a row; old ones are deleted when another is
 * added.
 */
export function createContinuationRepository(
  { read, write, now }: Engine<Tables>,
  secrets: Secrets,
): ContinuationStore {
  return {
    async seal(account_id, text, life_ms) {
      const expires_at = shiftTime(await read(now), life_ms);
      const sealed = secrets.seal(`${Date.parse(expires_at)} ${text}`, toPlace(account_id));
      return { sealed: sealed.toString('base64url'), expires_at };
    },
    async unseal(account_id, sealed) {
      const bytes = Buffer.from(sealed, 'base64url');
      // The decoder skips characters that are not base64url, so one text would have many spellings.
      if (bytes.toString('base64url') !== sealed) return undefined;
      const unsealed = tryUnseal(account_id, bytes);
      if (unsealed === undefined) return undefined;
      const [, until = '', text = ''] = /^(\d{13}) (.*)$/s.exec(unsealed) ?? [];
      if (until === '') return undefined;
      const expires_at = new Date(Number(until)).toISOString();
      return { text, expires_at, left_ms: Number(until) - Date.parse(await read(now)) };
    },
    take: (account_id, continuation_id, kept_ms) =>
      write(async (trx) => {
        const taken_at = await now(trx);
        await trx.deleteFrom('taken_continuations').where('forget_at', '<=', taken_at).execute();
        const { numInsertedOrUpdatedRows } = await trx
          .insertInto('taken_continuations')
          .values({ account_id, continuation_id, forget_at: shiftTime(taken_at, kept_ms) })
          .onConflict((conflict) => conflict.columns(['account_id', 'continuation_id']).doNothing())
          .executeTakeFirstOrThrow();
        return numInsertedOrUpdatedRows === 1n;
      }),
    isTaken: (account_id, continuation_id) =>
      read(async (trx) => {
        const found = await trx
          .selectFrom('taken_continuations')
          .select('forget_at')
          .where('account_id', '=', account_id)
          .where('continuation_id', '=', continuation_id)
          .where('forget_at', '>', await now(trx))
          .executeTakeFirst();
        return found !== undefined;
      }),
  };

  function tryUnseal(account_id: string, bytes: Buffer): string | undefined {
    try {
      return secrets.unseal(bytes, toPlace(account_id));
    } catch {
      return undefined;
    }
  }
}

function toPlace(account_id: string): SecretPlace {
  return { table: 'taken_continuations', row: [account_id], column: 'continuation' };
}
