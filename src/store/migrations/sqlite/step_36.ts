import type { Migration } from '../../engine/sqlite/migrate.js';

/**
 * Only a dry run licenses its own repeat to overwrite manual edits. Before, whatever was shown counted as known: `adopted` of a snapshot
 * has those parts as they were last written or imported.
 */
export const step36: Migration = {
  up(sqlite) {
    sqlite.exec(`
      CREATE TABLE edit_licenses (
        account_id TEXT NOT NULL REFERENCES accounts (account_id) ON DELETE CASCADE,
        credential TEXT NOT NULL,
        body_digest TEXT NOT NULL,
        shop_id INTEGER NOT NULL,
        field TEXT NOT NULL,
        value_digest TEXT NOT NULL,
        expires_at TEXT NOT NULL,
        PRIMARY KEY (account_id, credential, body_digest, shop_id, field)
      ) STRICT, WITHOUT ROWID;
      CREATE INDEX edit_licenses_by_end ON edit_licenses (expires_at);
    `);
    for (const part of PARTS) {
      sqlite.exec(`
        UPDATE snapshots
        SET snapshot = json_set(snapshot, '$.${part}', json_extract(snapshot, '$.adopted.${part}'))
        WHERE json_type(snapshot, '$.adopted.${part}') IS NOT NULL;
      `);
    }
    sqlite.exec(`
      UPDATE snapshots SET snapshot = json_remove(snapshot, '$.adopted')
      WHERE json_type(snapshot, '$.adopted') IS NOT NULL;
    `);
  },
};

const PARTS = [
  'listing',
  'images',
  'videos',
  'files',
  'inventory',
  'variation_images',
  'attributes',
  'questions',
  'translations',
];
