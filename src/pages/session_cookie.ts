import { createCookie, type Cookie } from './cookie.js';

/** The browser's session cookie. */
export type SessionCookie = Pick<Cookie, 'read' | 'clear'> & {
  /** Value of a Set-Cookie header. */
  write(opened: { token: string; session: { expires_at: string } }): string;
};

export function createSessionCookie(base_url: string): SessionCookie {
  const { read, write, clear } = createCookie(base_url, 'listing-session');
  return {
    read,
    write: ({ token, session }) => write(token, `Expires=${new Date(session.expires_at).toUTCString()}`),
    clear,
  };
}
