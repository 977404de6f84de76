import type { Transaction } from 'kysely';
import type { Engine } from '../engine/engine.js';
import type { Tables } from '../schema.js';

/**
 * Takes the account's row until the transaction ends, so that what is counted of an account and then added to is counted and added
 * by one transaction at a time. It is taken first, before the rows of jobs and listings: two that take rows in another order would
 * wait for each other.
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
