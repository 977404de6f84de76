import type { FaultName } from '../../../../schemas/issues/failures.js';

/** The operator's remedy for each fault of the computer. */
export const FAULT_HINTS: Readonly<Record<FaultName, string>> = {
  disk_full:
    'Free up space on the disk of DATA_DIR (uploads stop when less than 100 MB is free), then repeat the request. No partial data was saved.',
  data_forbidden:
    'Give the user that runs the service access to DATA_DIR and everything in it, and make sure that the disk is not read-only; then repeat the request.',
  database_damaged: 'Stop the service, run listing-service doctor, and restore a backup.',
  database_locked:
    'Check for a backup or another program that has files in DATA_DIR open; then repeat the request.',
  disk_broken: 'Check the disk that holds DATA_DIR and the system log.',
  open_files_too_many:
    'Repeat the request in a moment. If it persists, raise the open-file limit (ulimit -n).',
  bucket_refused:
    'The operator must make sure that the key of S3_ACCESS_KEY_ID may list, read, write, and delete objects in the bucket (listing-service doctor tests it); then repeat the request.',
  bucket_missing:
    'The operator must check BLOB_STORE and S3_ENDPOINT (listing-service doctor tests them); then repeat the request.',
  bucket_silent: 'Repeat the request in a moment. No partial data was saved.',
  stored_file_damaged:
    'Upload the file again and use the new url; the operator should find out what else writes to BLOB_STORE.',
  database_silent:
    'Repeat the request in a few seconds; no partial data was saved. If it persists, check the database server of DATABASE_URL.',
};
