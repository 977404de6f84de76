import type { ExpressionBuilder, Transaction } from 'kysely';
import { toBatches } from '../engine/lengths.js';
import type { Tables } from '../schema.js';

const NAME = /service-upload:\/\/([A-Za-z0-9_]{1,64})\//gi;

/** Saves which uploads a listing names, so that they stay as long as it does. @param request as its JSON text */
export async function saveNamedUploads(
  trx: Transaction<Tables>,
  { account_id, listing_pk, request }: { account_id: string; listing_pk: number; request: string },
): Promise<void> {
  const rows = listNamedUploads(request).map((upload_id) => ({ account_id, upload_id, listing_pk }));
  for (const batch of toBatches(rows)) await trx.insertInto('listing_uploads').values(batch).execute();
}

/** Ids of the uploads that a request names, each once. @param request as its JSON text */
export function listNamedUploads(request: string): string[] {
  return [...new Set(Array.from(request.matchAll(NAME), ([, upload_id = '']) => upload_id))];
}

/** Whether a saved listing names the upload of the row. */
export function isNamed(eb: ExpressionBuilder<Tables, 'uploads'>) {
  return eb.exists(
    eb
      .selectFrom('listing_uploads')
      .select('listing_pk')
      .whereRef('listing_uploads.account_id', '=', 'uploads.account_id')
      .whereRef('listing_uploads.upload_id', '=', 'uploads.upload_id'),
  );
}
