import { sql, type Transaction } from 'kysely';
import { CREATE_HOLD_TABLE, HOLD_TABLE, type Hold } from '../holds.js';
import type { Tables } from '../../schema.js';

export async function findHold(trx: Transaction<Tables>): Promise<Hold | undefined> {
  const tables = await sql<{
    is_there: boolean;
  }>`SELECT to_regclass(${HOLD_TABLE}) IS NOT NULL AS is_there`.execute(trx);
  if (tables.rows[0]?.is_there !== true) return undefined;
  const { rows } =
    await sql<Hold>`SELECT reason, place, move_id, since FROM ${sql.table(HOLD_TABLE)}`.execute(trx);
  return rows[0];
}

/** Replaces an existing hold. */
export async function setHold(trx: Transaction<Tables>, hold: Hold): Promise<void> {
  const { reason, place, move_id, since } = hold;
  await liftHold(trx);
  await sql.raw(CREATE_HOLD_TABLE).execute(trx);
  await sql`INSERT INTO ${sql.table(HOLD_TABLE)} VALUES (${reason}, ${place}, ${move_id}, ${since})`.execute(
    trx,
  );
}

export async function liftHold(trx: Transaction<Tables>): Promise<void> {
  await sql`DROP TABLE IF EXISTS ${sql.table(HOLD_TABLE)}`.execute(trx);
}
