import type { ContinuationStore } from '../../core/ports/index.js';
import type { Engine } from '../engine/engine.js';
import type { Tables } from '../schema.js';
import type { SecretPlace, Secrets } from '../secrets/secrets.js';

/** Sealed text is base64url. Taking adds a row; old ones go when another is added. */
export function createContinuationRepository(
  { write, now }: Engine<Tables>,
  secrets: Secrets,
): ContinuationStore {
  return {
    seal: async (account_id, text) => secrets.seal(text, toPlace(account_id)).toString('base64url'),
    async unseal(account_id, sealed) {
      const bytes = Buffer.from(sealed, 'base64url');
      // The decoder passes over what is no base64url: of one text there would be many spellings.
      if (bytes.toString('base64url') !== sealed) return undefined;
      try {
        return secrets.unseal(bytes, toPlace(account_id));
      } catch {
        return undefined;
      }
    },
    take: (account_id, continuation_id, forget_at) =>
      write(async (trx) => {
        await trx
          .deleteFrom('taken_continuations')
          .where('forget_at', '<=', await now(trx))
          .execute();
        const { numInsertedOrUpdatedRows } = await trx
          .insertInto('taken_continuations')
          .values({ account_id, continuation_id, forget_at })
          .onConflict((conflict) => conflict.columns(['account_id', 'continuation_id']).doNothing())
          .executeTakeFirstOrThrow();
        return numInsertedOrUpdatedRows === 1n;
      }),
  };
}

function toPlace(account_id: string): SecretPlace {
  return { table: 'taken_continuations', row: [account_id], column: 'continuation' };
}
