import { SANDBOX_APP } from '../world/shops.js';
import type { Database } from './database.js';

/** An application of the marketplace. Null limits: those of the settings apply. */
export type Application = {
  application_id: number;
  keystring: string;
  shared_secret: string;
  /** The only user whose shop the application may access, as with Seller API Access; null: any user. */
  user_id: number | null;
  rate_per_second: number | null;
  rate_per_day: number | null;
  /** Whether the marketplace has revoked the application's key. */
  is_revoked: boolean;
};

/** The application that always exists; the control route creates others. */
const FIRST: Application = {
  ...SANDBOX_APP,
  user_id: null,
  rate_per_second: null,
  rate_per_day: null,
  is_revoked: false,
};

/** Finds an application; undefined if there is none, or if it is revoked. */
export function findApplication(db: Database, keystring: string): Application | undefined {
  const found = keystring === FIRST.keystring ? FIRST : findMade(db, keystring);
  return found?.is_revoked ? undefined : found;
}

export function findMade(db: Database, keystring: string): Application | undefined {
  const row = db.find<Omit<Application, 'is_revoked'> & { is_revoked: number }>(
    'SELECT * FROM applications WHERE keystring = ?',
    keystring,
  );
  return row && { ...row, is_revoked: row.is_revoked === 1 };
}

/** Creates an application, or changes the one with this keystring. */
export function saveApplication(db: Database, application: Omit<Application, 'application_id'>): Application {
  const { keystring, shared_secret, user_id, rate_per_second, rate_per_day, is_revoked } = application;
  db.run(
    `INSERT INTO applications (keystring, shared_secret, user_id, rate_per_second, rate_per_day, is_revoked)
       VALUES (?,?,?,?,?,?)
     ON CONFLICT (keystring) DO UPDATE SET shared_secret = excluded.shared_secret, user_id = excluded.user_id,
       rate_per_second = excluded.rate_per_second, rate_per_day = excluded.rate_per_day, is_revoked = excluded.is_revoked`,
    keystring,
    shared_secret,
    user_id,
    rate_per_second,
    rate_per_day,
    is_revoked ? 1 : 0,
  );
  const saved = findMade(db, keystring);
  if (!saved) throw new Error('an application that was saved is not there');
  return saved;
}

/** Calls of each application, for assertions. `refused`: because of its limits. */
type ApplicationUse = { calls: number; refused: number; most_in_a_second: number };

/**
 * @param in_second how many calls were made in the last second, including this one; null if this one was
 * refused
 */
export function countUse(db: Database, keystring: string, in_second: number | null): void {
  db.run(
    `INSERT INTO application_use (keystring, calls, refused, most_in_a_second) VALUES (?,?,?,?)
     ON CONFLICT (keystring) DO UPDATE SET calls = calls + excluded.calls, refused = refused + excluded.refused,
       most_in_a_second = max(most_in_a_second, excluded.most_in_a_second)`,
    keystring,
    in_second === null ? 0 : 1,
    in_second === null ? 1 : 0,
    in_second ?? 0,
  );
}

export function listUse(db: Database): Record<string, ApplicationUse> {
  const rows = db.list<ApplicationUse & { keystring: string }>('SELECT * FROM application_use');
  return Object.fromEntries(rows.map(({ keystring, ...use }) => [keystring, use]));
}
