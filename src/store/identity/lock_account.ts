import type { Transaction } from 'kysely';
import type { Engine } from '../engine/engine.js';
import type { Tables } from '../schema.js';

/**
 * Locks the account's row until the transaction ends, so that one transaction at a time counts an account's things and adds
 * to them. Lock it before the rows of jobs and listings: two transactions that lock rows in different orders would wait for
 * each other.
 */
export async function lockAccount(
  { lockRows }: Pick<Engine<Tables>, 'lockRows'>,
  trx: Transaction<Tables>,
  account_id: string,
): Promise<void> {
  await lockRows(
    trx.selectFrom('accounts').select('account_id').where('account_id', '=', account_id),
  ).execute();
}
