/** A change in shops is followed on the listing's page when it takes longer than the operation waits, or the person. */
export const CHANGE_WAITS = { job_ms: 20_000, patience_ms: 4_000 } as const;
