import pg from 'pg';

/**
 * The server is gone, is starting or stopping, has no connection free, or did not answer in time. What was asked for was not done, but
 * for a commit whose answer was lost.
 */
export class StoreUnavailableError extends Error {
  override readonly name = 'StoreUnavailableError';
  /** As those of the operating system and of SQLite have one. */
  readonly code = 'DATABASE_UNAVAILABLE';

  constructor(cause: unknown) {
    super('the database server does not answer', { cause });
  }
}

/** Connection exceptions, an operator who ends sessions or the server, a server that starts or stops, too many connections. */
const LOST = /^(08...|57P0[1-5]|53300)$/;

/** Whether the connection is of no use any more: what the server says of a query comes as its own kind of error, and leaves it usable. */
export function isConnectionLost(error: unknown): boolean {
  if (!(error instanceof pg.DatabaseError)) return true;
  return LOST.test(error.code ?? '');
}
