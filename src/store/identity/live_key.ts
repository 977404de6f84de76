import { sql, type SqlBool } from 'kysely';

/**
 * The condition that the API key a row was made with still works; true for rows made without one. A holder of a key may have let
 * others in with it, so that ends together.
 */
export function hasLiveKey(table: 'grants' | 'sessions', now: string) {
  const row = sql.table(table);
  return sql<SqlBool>`(${row}.key_id IS NULL OR EXISTS (
    SELECT 1 FROM api_keys
    WHERE api_keys.account_id = ${row}.account_id AND api_keys.key_id = ${row}.key_id AND api_keys.revoked_at IS NULL
      AND (api_keys.expires_at IS NULL OR api_keys.expires_at > ${now})
  ))`;
}
