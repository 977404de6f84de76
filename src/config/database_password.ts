/** The variable of PostgreSQL's own programs. */
export const DATABASE_PASSWORD = 'PGPASSWORD';

/** Splits a DATABASE_URL into the address without its password and the password; undefined if it has none. */
export function takePasswordOut(database_url: string): { url: string; password: string | undefined } {
  const url = new URL(database_url);
  const password = decodeURIComponent(url.password) || url.searchParams.get('password') || undefined;
  if (password === undefined) return { url: database_url, password };
  url.password = '';
  url.searchParams.delete('password');
  return { url: url.href, password };
}

/** The DATABASE_URL with a password; one that it already has is kept. */
export function putPasswordIn(database_url: string, password: string | undefined): string {
  if (password === undefined || takePasswordOut(database_url).password !== undefined) return database_url;
  const url = new URL(database_url);
  // An address without a host, as for a socket, has no other place for it.
  if (url.hostname === '') url.searchParams.set('password', password);
  else url.password = encodeURIComponent(password);
  return url.href;
}
