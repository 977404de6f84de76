import type { Call } from '../../../core/operations/call.js';
import type { Clock } from '../../../core/ports/index.js';
import type { Session } from './revision_2025.js';

const MAX_SESSIONS = 1_000;
/** So that one account cannot push out all the others. */
const MAX_PER_ACCOUNT = 250;
const IDLE_MS = 30 * 60 * 1000;

export type KeptSession = Session & {
  session_id: string;
  account_id: string;
  used_at_ms: number;
  /** Grows with each use of any session. */
  use: number;
};

/** Conversations over HTTP by their id. Clients open them by the thousand and seldom end them, so they are capped and swept. */
export type Sessions = {
  /** Undefined when it is unknown, ended, idle for too long, or another account's. */
  find(session_id: string, caller: Call['caller']): KeptSession | undefined;
  add(session_id: string, caller: Call['caller'], session: Session): KeptSession;
  end(session_id: string): Promise<void>;
  count(): number;
  closeAll(): Promise<void>;
};

export function createSessions(clock: Clock): Sessions {
  const byId = new Map<string, KeptSession>();
  let uses = 0;

  return {
    find(session_id, caller) {
      const found = byId.get(session_id);
      if (!found || found.account_id !== caller.account_id) return undefined;
      const now_ms = clock.now().getTime();
      if (isIdle(found, now_ms)) {
        drop(found);
        return undefined;
      }
      found.used_at_ms = now_ms;
      found.use = uses += 1;
      return found;
    },
    add(session_id, caller, session) {
      const used_at_ms = clock.now().getTime();
      sweepIdle(used_at_ms);
      const own = [...byId.values()].filter(({ account_id }) => account_id === caller.account_id);
      if (own.length >= MAX_PER_ACCOUNT) dropOne(own);
      else if (byId.size >= MAX_SESSIONS) dropOne([...byId.values()]);
      const use = (uses += 1);
      const kept = { ...session, session_id, account_id: caller.account_id, used_at_ms, use };
      byId.set(session_id, kept);
      return kept;
    },
    async end(session_id) {
      const found = byId.get(session_id);
      byId.delete(session_id);
      await found?.close();
    },
    count: () => byId.size,
    async closeAll() {
      const all = [...byId.values()];
      byId.clear();
      await Promise.all(all.map((session) => session.close()));
    },
  };

  function sweepIdle(now_ms: number): void {
    for (const session of byId.values()) {
      if (isIdle(session, now_ms)) drop(session);
    }
  }

  /** The one that was used least recently; one that is answering is spared, unless all are. */
  function dropOne(sessions: readonly KeptSession[]): void {
    const quiet = sessions.filter((session) => session.countOpen() === 0);
    drop(
      (quiet.length > 0 ? quiet : sessions).reduce((least, each) => (each.use < least.use ? each : least)),
    );
  }

  function isIdle(session: KeptSession, now_ms: number): boolean {
    return now_ms - session.used_at_ms > IDLE_MS && session.countOpen() === 0;
  }

  function drop(session: KeptSession): void {
    byId.delete(session.session_id);
    void session.close();
  }
}
