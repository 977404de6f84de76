import type { TakenValue } from '../../src/core/operations/operation.js';

/** A value from an earlier answer, as the examples write it. */
export const UPLOAD_URL = {
  value: 'service-upload://upl_Nh8ayBdkze5sCsqGzB2kAt/mug.jpg',
  from: 'file_upload',
  field: 'url',
} as const satisfies TakenValue;

export const JOB_ID = {
  value: 'job_oInxNq5ar3jjb9QcuBjZQm',
  from: 'listing_create',
  field: 'job_id',
} as const satisfies TakenValue;
