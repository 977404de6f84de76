import type { RetentionStore } from '../../core/ports/index.js';
import { shiftTime, type Engine } from '../engine/engine.js';
import type { Tables } from '../schema.js';

/** Deletes sessions that are expired or unused, and expired sign-in links; both count toward `limit`. */
export function createSessionRetention(engine: Engine<Tables>): Pick<RetentionStore, 'sweepSessions'> {
  return {
    sweepSessions: (unused_ms, limit) =>
      engine.write(async (trx) => {
        const now = await engine.now(trx);
        const unused_since = shiftTime(now, -unused_ms);
        const sessions = await trx
          .deleteFrom('sessions')
          .where('token_sha256', 'in', (eb) =>
            eb
              .selectFrom('sessions')
              .select('token_sha256')
              .where((old) => old.or([old('expires_at', '<=', now), old('last_used_at', '<=', unused_since)]))
              .limit(limit),
          )
          .executeTakeFirstOrThrow();
        const swept = Number(sessions.numDeletedRows);
        const links = await trx
          .deleteFrom('sign_in_links')
          .where('token_sha256', 'in', (eb) =>
            eb
              .selectFrom('sign_in_links')
              .select('token_sha256')
              .where('expires_at', '<=', now)
              .limit(limit - swept),
          )
          .executeTakeFirstOrThrow();
        return swept + Number(links.numDeletedRows);
      }),
  };
}
