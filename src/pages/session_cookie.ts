/**
 * Where a browser keeps its session. Lax: a link to a listing opened from an assistant's web page arrives signed in, while
 * no form of another site does. Over https it is bound to this host. Browsers send the cookies of all ports of a host to each, so the
 * port is in the name: two services on one computer neither take nor overwrite each other's sessions.
 */
export type SessionCookie = {
  read(request: { cookies: ReadonlyMap<string, string> }): string | undefined;
  /** Value of a Set-Cookie header. */
  write(opened: { token: string; session: { expires_at: string } }): string;
  clear(): string;
};

export function createSessionCookie(base_url: string): SessionCookie {
  const { protocol, port } = new URL(base_url);
  const is_secure = protocol === 'https:';
  const name = `${is_secure ? '__Host-' : ''}listing-session${port && `-${port}`}`;
  const rules = `Path=/; HttpOnly; SameSite=Lax${is_secure ? '; Secure' : ''}`;
  return {
    read: ({ cookies }) => cookies.get(name),
    write: ({ token, session }) =>
      `${name}=${token}; ${rules}; Expires=${new Date(session.expires_at).toUTCString()}`,
    clear: () => `${name}=; ${rules}; Max-Age=0`,
  };
}
