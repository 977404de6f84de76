/**
 * The listing's page shows the progress of a change in shops that takes longer than the operation or the
 * person waits.
 */
export const CHANGE_WAITS = { job_ms: 20_000, patience_ms: 4_000 } as const;
