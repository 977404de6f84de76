/**
 * Bodies of events are encrypted. `payload` has what an earlier release wrote in clear text, until the first start with the master key
 * encrypts it (see seal_old_payloads.ts).
 */
export const STEP_9 = [
  `
  ALTER TABLE events ADD COLUMN sealed_payload BYTEA;
  DROP INDEX events_with_payload;
  DROP INDEX events_without_payload;
  CREATE INDEX events_with_payload ON events (created_at) WHERE sealed_payload IS NOT NULL;
  CREATE INDEX events_without_payload ON events (created_at) WHERE sealed_payload IS NULL;
  CREATE INDEX events_in_clear ON events (account_id, event_id) WHERE payload IS NOT NULL;
  `,
];
