/** Faults of the computer that the service runs on, in words for the operator. */
type Fault = {
  message: string;
  hint: string;
  /** When to try again, where it may mend by itself. */
  retry_after_seconds?: number;
};

/** A cause may be wrapped several times on its way up; no more than this. */
const MAX_DEPTH = 8;

const DISK_FULL: Fault = {
  message: 'The disk that the service keeps its data on is full.',
  hint: 'Free space on the disk of DATA_DIR (files leave MIN_FREE_DISK_MB of it free), then repeat the request. Nothing was half saved.',
};
const NOT_WRITABLE: Fault = {
  message: 'The service may not read or write its data folder.',
  hint: 'Give the user that runs the service access to DATA_DIR and to all in it, and see that the disk is not read-only; then repeat the request.',
};
const DAMAGED: Fault = {
  message: "The service's database is damaged.",
  hint: 'Stop the service, run listing-service doctor, and restore a backup.',
};
const LOCKED: Fault = {
  message: "Another program has kept the service's database locked for too long.",
  hint: 'Look for a backup or another program that holds files in DATA_DIR; then repeat the request.',
};
const BROKEN_DISK: Fault = {
  message: 'The disk that the service keeps its data on cannot be read or written.',
  hint: 'Look at the disk of DATA_DIR and at the log of the operating system.',
};
const TOO_MANY_FILES: Fault = {
  message: 'The service has as many files open as the operating system allows.',
  hint: 'Repeat the request in a moment. If it stays, raise the limit of open files (ulimit -n).',
};
const BUCKET_REFUSES: Fault = {
  message: 'The service may not use the bucket that it keeps its files in.',
  hint: 'The operator has to see that the key of S3_ACCESS_KEY_ID may list, read, write and delete there (listing-service doctor tries it); then repeat the request.',
};
const BUCKET_MISSING: Fault = {
  message: 'The bucket that the service keeps its files in does not exist.',
  hint: 'The operator has to see to BLOB_STORE and S3_ENDPOINT (listing-service doctor tries them); then repeat the request.',
};
const BUCKET_SILENT: Fault = {
  message: 'The bucket that the service keeps its files in does not answer, or asks for a pause.',
  hint: 'Repeat the request in a moment. Nothing was half saved.',
  retry_after_seconds: 10,
};
const FILE_DAMAGED: Fault = {
  message: 'A stored file is gone, or is not what was kept.',
  hint: 'Upload the file again and use the new url; the operator should see who else changes BLOB_STORE.',
};

const DATABASE_SILENT: Fault = {
  message: "The service's database does not answer.",
  hint: 'Repeat the request in a few seconds; nothing was half saved. If it stays, look at the database server of DATABASE_URL.',
  retry_after_seconds: 5,
};

/** Codes of the operating system, the first words of SQLite's, and those of StoreUnavailableError and BlobsError. */
const FAULTS: readonly [RegExp, Fault][] = [
  [/^(ENOSPC|EDQUOT|SQLITE_FULL)/, DISK_FULL],
  [/^(EACCES|EPERM|EROFS|SQLITE_READONLY|SQLITE_CANTOPEN|SQLITE_PERM)/, NOT_WRITABLE],
  [/^(SQLITE_CORRUPT|SQLITE_NOTADB)/, DAMAGED],
  [/^(SQLITE_BUSY|SQLITE_LOCKED)/, LOCKED],
  [/^(EIO|SQLITE_IOERR)/, BROKEN_DISK],
  [/^(EMFILE|ENFILE)/, TOO_MANY_FILES],
  [/^DATABASE_UNAVAILABLE/, DATABASE_SILENT],
  [/^BLOBS_REFUSED/, BUCKET_REFUSES],
  [/^BLOBS_MISSING/, BUCKET_MISSING],
  [/^BLOBS_UNAVAILABLE/, BUCKET_SILENT],
  [/^BLOBS_DAMAGED/, FILE_DAMAGED],
];

/** The fault of the computer that something failed for, if it is one that a person can mend; looks into causes too. */
export function findFault(thrown: unknown): Fault | undefined {
  let cause = thrown;
  for (let depth = 0; depth < MAX_DEPTH && cause instanceof Error; depth += 1) {
    const code = getCode(cause);
    const found = FAULTS.find(([codes]) => codes.test(code));
    if (found) return found[1];
    cause = cause.cause;
  }
  return undefined;
}

/** A connection that a firewall forbids has the code of a file that may not be opened; it says nothing about this computer's files. */
function getCode(error: Error): string {
  const isConnection = error instanceof AggregateError || ('syscall' in error && error.syscall === 'connect');
  return !isConnection && 'code' in error && typeof error.code === 'string' ? error.code : '';
}
