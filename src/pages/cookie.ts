/** A cookie of this service that no script can read. */
export type Cookie = {
  read(request: { cookies: ReadonlyMap<string, string> }): string | undefined;
  /** Value of a Set-Cookie header. */
  write(value: string, ending: `Expires=${string}` | `Max-Age=${number}`): string;
  clear(): string;
};

/**
 * Lax: a link to a listing opened from an assistant's web page arrives with the cookie, while no form of
 * another site does. Over https it is bound to this host. Browsers send the cookies of a host to all of its
 * ports, so the port is in the name: two services on one computer neither read nor overwrite each other's.
 */
export function createCookie(base_url: string, purpose: string): Cookie {
  const { protocol, port } = new URL(base_url);
  const isSecure = protocol === 'https:';
  const name = `${isSecure ? '__Host-' : ''}${purpose}${port && `-${port}`}`;
  const rules = `Path=/; HttpOnly; SameSite=Lax${isSecure ? '; Secure' : ''}`;
  return {
    read: ({ cookies }) => cookies.get(name),
    write: (value, ending) => `${name}=${value}; ${rules}; ${ending}`,
    clear: () => `${name}=; ${rules}; Max-Age=0`,
  };
}
