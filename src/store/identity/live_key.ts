import { sql, type SqlBool } from 'kysely';

/**
 * SQL condition: the API key that a row was created with still works, or the row was created without one. Sessions, grants
 * and upload addresses end with their key, because the holder of a stolen key may have created them.
 */
export function hasLiveKey(table: 'grants' | 'sessions' | 'upload_links', now: string) {
  const row = sql.table(table);
  return sql<SqlBool>`(${row}.key_id IS NULL OR EXISTS (
    SELECT 1 FROM api_keys
    WHERE api_keys.account_id = ${row}.account_id AND api_keys.key_id = ${row}.key_id AND api_keys.revoked_at IS NULL
      AND (api_keys.expires_at IS NULL OR api_keys.expires_at > ${now})
  ))`;
}

/** The same for the grant of an assistant, which ends with its own key. */
export function hasLiveGrant(table: 'upload_links', now: string) {
  const row = sql.table(table);
  return sql<SqlBool>`(${row}.grant_id IS NULL OR EXISTS (
    SELECT 1 FROM grants
    WHERE grants.account_id = ${row}.account_id AND grants.grant_id = ${row}.grant_id AND grants.expires_at > ${now}
      AND ${hasLiveKey('grants', now)}
  ))`;
}
