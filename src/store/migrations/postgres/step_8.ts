/**
 * Only a dry run licenses its own repeat to overwrite manual edits. Before, whatever was shown counted as known: `adopted` of a snapshot
 * has those parts as they were last written or imported.
 */
export const STEP_8 = [
  `
  CREATE TABLE edit_licenses (
    account_id TEXT COLLATE "C" NOT NULL REFERENCES accounts (account_id) ON DELETE CASCADE,
    credential TEXT COLLATE "C" NOT NULL,
    body_digest TEXT COLLATE "C" NOT NULL,
    shop_id BIGINT NOT NULL,
    field TEXT COLLATE "C" NOT NULL,
    value_digest TEXT COLLATE "C" NOT NULL,
    expires_at TEXT COLLATE "C" NOT NULL,
    PRIMARY KEY (account_id, credential, body_digest, shop_id, field)
  );
  CREATE INDEX edit_licenses_by_end ON edit_licenses (expires_at);
  UPDATE snapshots
  SET snapshot = ((snapshot::jsonb || (snapshot::jsonb -> 'adopted')) - 'adopted')::text
  WHERE jsonb_typeof(snapshot::jsonb -> 'adopted') = 'object';
  `,
];
