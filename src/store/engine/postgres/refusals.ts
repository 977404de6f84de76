import pg from 'pg';
import { StoreUnavailableError } from '../../../core/ports/index.js';
import { StoreError } from '../../store_error.js';

type Refused = {
  /** Host, port and database. */
  at: string;
  /** The message of the server or the system. */
  words: string;
  /** The setting that names the database. */
  setting: string;
};

/** The problem and its remedy, by the error code of the server, of the operating system or of TLS. */
const REFUSALS: readonly [RegExp, (refused: Refused) => string][] = [
  [
    /^(28P01|28000)$/,
    ({ at, words, setting }) =>
      `The database server at ${at} does not let us in (${words}). Check the user and password in ${setting}, and whether the server allows that user from this computer (pg_hba.conf).`,
  ],
  [
    /^3D000$/,
    ({ at, setting }) =>
      `There is no such database at ${at}. Make it (createdb), or correct the name in ${setting}.`,
  ],
  [
    /^42501$/,
    ({ at, words, setting }) =>
      `The user of ${setting} may not make tables at ${at} (${words}). Make that user the owner of the database, or grant it CREATE on the schema.`,
  ],
  [
    /^53300$/,
    ({ at }) =>
      `The database server at ${at} has no connection free. Raise its max_connections, lower DATABASE_MAX_CONNECTIONS of the instances, or put PgBouncer between.`,
  ],
  [
    /^57P03$/,
    ({ at, words }) => `The database server at ${at} is not ready (${words}). Start again in a moment.`,
  ],
  [
    /^(ECONNREFUSED|ENOTFOUND|EAI_AGAIN|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|ECONNRESET|EPIPE|ENOENT)$/,
    ({ at, words, setting }) =>
      `No database server answers at ${at} (${words}). Start PostgreSQL, or correct the address in ${setting}.`,
  ],
  [
    // OpenSSL names its objection to a certificate.
    /CERT|SSL|TLS|SELF_SIGNED|UNABLE_TO_VERIFY|INVALID_(CA|PURPOSE)|PATH_LENGTH/,
    ({ at, words, setting }) =>
      `The connection to the database server at ${at} cannot be secured (${words}). Name the file of its certificate authority with sslrootcert in ${setting}, or choose another sslmode.`,
  ],
];

/**
 * The same error as a sentence for the person who starts the service; returns an error unchanged that is not about the
 * connection.
 * @param setting the setting that names the database
 */
export function explainRefusal(thrown: unknown, url: string, setting = 'DATABASE_URL'): unknown {
  const error = thrown instanceof StoreUnavailableError ? thrown.cause : thrown;
  if (!(error instanceof Error) || error instanceof StoreError) return error;
  const file = findUnreadFile(error);
  if (file !== undefined) {
    return new StoreError(
      `${file} cannot be read (${describeCause(error)}). Correct sslrootcert, sslcert or sslkey in ${setting}, or let this user read the file.`,
      { cause: error },
    );
  }
  const found = findRefusal(error);
  const at = describeTarget(url);
  if (found) return new StoreError(found({ at, words: describeCause(error), setting }), { cause: error });
  if (error instanceof pg.DatabaseError) {
    return new StoreError(`The database at ${at} cannot be used: ${error.message}.`, { cause: error });
  }
  return new StoreError(
    `The database server at ${at} cannot be reached (${describeCause(error)}). Check ${setting}.`,
    { cause: error },
  );
}

function findRefusal(error: Error) {
  const text = getCode(error) ?? error.message;
  return REFUSALS.find(([codes]) => codes.test(text))?.[1];
}

/** A certificate or key that the URL names; a missing socket fails to connect, not to open. */
function findUnreadFile(error: Error): string | undefined {
  const { syscall, path } = error as NodeJS.ErrnoException;
  return syscall === 'open' || syscall === 'read' ? path : undefined;
}

/** If a name has several addresses, each has failed with its own error. */
function getCode(error: Error): string | undefined {
  const [first] = error instanceof AggregateError ? error.errors : [error];
  return first instanceof Error && 'code' in first && typeof first.code === 'string' ? first.code : undefined;
}

function describeCause(error: Error): string {
  if (error instanceof pg.DatabaseError) return error.message;
  return getCode(error) ?? error.message;
}

/** Without the password. */
export function describeTarget(url: string): string {
  const { hostname, port, pathname, searchParams } = new URL(url);
  const host = searchParams.get('host') ?? (hostname === '' ? 'localhost' : decodeURIComponent(hostname));
  return `${host}:${port === '' ? '5432' : port}${pathname === '/' ? '' : pathname}`;
}
