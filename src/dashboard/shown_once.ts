import type { Continuations } from '../core/operations/continuations.js';
import { createCookie, type PageResponse } from '../pages/index.js';
import type { OwnVisit } from './page.js';
import { redirect } from './replies.js';

/** The browser comes back for a secret at once. */
const LIFE_MS = 2 * 60_000;

/**
 * Secrets that a POST has made, and that the page after it shows, once. A reload of that page makes no other one. Between the two
 * requests the secret is with the browser alone: sealed, in a cookie, for the same session. What the database remembers is that it
 * was shown, so that no instance shows it again.
 */
export type ShownOnce = {
  /** The answer of the POST. */
  leave(visit: Visitor, path: string, secret: string): Promise<PageResponse>;
  /** Undefined when it was shown before, belongs to another page or session, or is minutes old. */
  take(visit: Visitor, path: string): Promise<string | undefined>;
  /** For the answer that shows it. */
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
