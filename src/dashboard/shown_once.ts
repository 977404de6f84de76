import type { Continuations } from '../core/operations/continuations.js';
import { createCookie, type PageResponse } from '../pages/index.js';
import type { OwnVisit } from './page.js';
import { redirect } from './replies.js';

/** The browser returns for a secret immediately. */
const LIFE_MS = 2 * 60_000;

/**
 * Secrets that a POST has created, and that the next page shows once. Reloading that page creates no other
 * one. Between the two requests, only the browser has the secret: encrypted, in a cookie, for the same
 * session. The database remembers only that it was shown, so that no instance shows it again.
 */
export type ShownOnce = {
  /** The response to the POST. */
  leave(visit: Visitor, path: string, secret: string): Promise<PageResponse>;
  /** Undefined if it was shown before, belongs to another page or session, or is minutes old. */
  take(visit: Visitor, path: string): Promise<string | undefined>;
  /** For the response that shows it. */
  headers: Record<string, string>;
};

type Visitor = Pick<OwnVisit, 'account_id' | 'csrf_token' | 'request'>;

export function createShownOnce({
  base_url,
  continuations,
}: {
  base_url: string;
  continuations: Continuations;
}): ShownOnce {
  const cookie = createCookie(base_url, 'listing-secret');
  return {
    async leave(visit, path, secret) {
      const subject = toSubject(visit, path);
      const { continuation } = await continuations.issue(visit.account_id, subject, secret, LIFE_MS);
      return redirect(path, { 'set-cookie': cookie.write(continuation, `Max-Age=${LIFE_MS / 1000}`) });
    },
    async take(visit, path) {
      const sealed = cookie.read(visit.request);
      if (sealed === undefined) return undefined;
      const resumed = await continuations.resume(visit.account_id, toSubject(visit, path), sealed);
      if (!resumed || resumed.is_expired || !(await resumed.take())) return undefined;
      return typeof resumed.memory === 'string' ? resumed.memory : undefined;
    },
    headers: { 'set-cookie': cookie.clear() },
  };
}

/** The form token stands for the session. */
function toSubject({ csrf_token }: Visitor, path: string): string[] {
  return ['shown_once', path, csrf_token];
}
