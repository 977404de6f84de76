import pg from 'pg';
import { StoreUnavailableError } from '../../../core/ports/index.js';

export function buildUnavailable(cause: unknown): StoreUnavailableError {
  return new StoreUnavailableError('the database server does not answer', { cause });
}

/**
 * Connection exceptions, an operator who ends sessions or the server, a server that starts or stops, too many connections;
 * and a server that is read-only because another one has taken its place: a new connection finds that one.
 */
const LOST = /^(08...|25006|57P0[1-5]|53300)$/;

/**
 * Whether the connection is no longer usable: the server's answer to a query is a different kind of error, and leaves the
 * connection usable.
 */
export function isConnectionLost(error: unknown): boolean {
  if (!(error instanceof pg.DatabaseError)) return true;
  return LOST.test(error.code ?? '');
}
