import { StoreError } from '../store_error.js';

/**
 * A hold: the reason why the service must not start on a database. It is stored in the database itself, so that a copy has
 * it, too: a restore or a move into it has not finished, or its content is in use elsewhere.
 */
export type Hold = {
  reason: 'restoring' | 'moving_in' | 'moving_out' | 'moved_out';
  /** The other place of a move, without its password; null for a restore. */
  place: string | null;
  /** The id of a move, the same in both places; null for a restore. */
  move_id: string | null;
  since: string;
};

/** The table of the hold, the same in both engines. It exists only while there is a hold, so no migration creates it. */
export const HOLD_TABLE = 'start_hold';
export const CREATE_HOLD_TABLE = `CREATE TABLE ${HOLD_TABLE} (reason TEXT NOT NULL, place TEXT, move_id TEXT, since TEXT NOT NULL)`;

/**
 * Throws StoreError if there is a hold.
 * @param database its name in sentences
 */
export function checkHold(hold: Hold | undefined, database: string): void {
  if (hold) throw new StoreError(describeHold(hold, database));
}

/** Why the service must not start on it and what to do, in two sentences. */
export function describeHold({ reason, place, since }: Hold, database: string): string {
  switch (reason) {
    case 'restoring':
      return `A restore into ${database} started at ${since} and did not finish. Run listing-service restore again with the same backup.`;
    case 'moving_in':
      return `A move from ${place} into ${database} started at ${since} and did not finish. Run the same listing-service move again.`;
    case 'moving_out':
      return `A move from ${database} to ${place} started at ${since} and did not finish. Run the same listing-service move again, or cancel it with listing-service move --lift-mark.`;
    case 'moved_out':
      return `${database} was moved to ${place} at ${since}, and two live copies would pay twice. Start on ${place}; to come back, run listing-service move the other way.`;
  }
}
