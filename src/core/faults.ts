import type { FaultName } from '../../schemas/issues/failures.js';
import { FAULT_HINTS } from './issues/jobs/fault_hints.js';
import { renderMessage, writeText } from './issues/render.js';

/** A fault of the computer that the service runs on. */
type Fault = {
  code: FaultName;
  /** For the operator. */
  hint: string;
  /** When to try again, if the fault may clear by itself. */
  retry_after_seconds?: number;
};

/** Maximum length of the chain of causes to walk. */
const MAX_DEPTH = 8;

const RETRY_AFTER_SECONDS: Partial<Record<FaultName, number>> = { bucket_silent: 10, database_silent: 5 };

/** Codes of the operating system, prefixes of SQLite's codes, and those of StoreUnavailableError and BlobsError. */
const CODES: readonly [RegExp, FaultName][] = [
  [/^(ENOSPC|EDQUOT|SQLITE_FULL)/, 'disk_full'],
  [/^(EACCES|EPERM|EROFS|SQLITE_READONLY|SQLITE_CANTOPEN|SQLITE_PERM)/, 'data_forbidden'],
  [/^(SQLITE_CORRUPT|SQLITE_NOTADB)/, 'database_damaged'],
  [/^(SQLITE_BUSY|SQLITE_LOCKED)/, 'database_locked'],
  [/^(EIO|SQLITE_IOERR)/, 'disk_broken'],
  [/^(EMFILE|ENFILE)/, 'open_files_too_many'],
  [/^DATABASE_UNAVAILABLE/, 'database_silent'],
  [/^BLOBS_REFUSED/, 'bucket_refused'],
  [/^BLOBS_MISSING/, 'bucket_missing'],
  [/^BLOBS_UNAVAILABLE/, 'bucket_silent'],
  [/^BLOBS_DAMAGED/, 'stored_file_damaged'],
];

/** Finds the failure of this computer behind an error, if an operator can fix it. Walks the chain of causes. */
export function findFault(thrown: unknown): Fault | undefined {
  const code = findFaultName(thrown);
  if (code === undefined) return undefined;
  const retry_after_seconds = RETRY_AFTER_SECONDS[code];
  return { code, hint: FAULT_HINTS[code], ...(retry_after_seconds !== undefined && { retry_after_seconds }) };
}

export function findFaultName(thrown: unknown): FaultName | undefined {
  let cause = thrown;
  for (let depth = 0; depth < MAX_DEPTH && cause instanceof Error; depth += 1) {
    const code = getCode(cause);
    const found = CODES.find(([codes]) => codes.test(code));
    if (found) return found[1];
    cause = cause.cause;
  }
  return undefined;
}

/**
 * Connection errors are ignored: a connection blocked by a firewall has the same code (EACCES) as a file we may not
 * open.
 */
function getCode(error: Error): string {
  const isConnection = error instanceof AggregateError || ('syscall' in error && error.syscall === 'connect');
  return !isConnection && 'code' in error && typeof error.code === 'string' ? error.code : '';
}

/** The fault and what to do about it, for an operator. */
export function describeFault({ code, hint }: Fault): string {
  return `${writeText(renderMessage({ code, at: '', params: {} }))} ${hint}`;
}
