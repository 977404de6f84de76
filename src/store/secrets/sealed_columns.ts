/**
 * Everything that the master key encrypts: by table, the columns that name the row in a secret's place, and the columns that
 * contain secrets.
 */
export const SEALED_COLUMNS = [
  { table: 'master_key_check', row: ['id'], columns: ['sealed'] },
  { table: 'shop_tokens', row: ['account_id', 'shop_id'], columns: ['access_token', 'refresh_token'] },
  { table: 'webhook_endpoints', row: ['account_id'], columns: ['secret', 'previous_secret'] },
  { table: 'events', row: ['account_id', 'event_id'], columns: ['sealed_payload'] },
  { table: 'applications', row: ['account_id', 'keystring'], columns: ['shared_secret', 'webhook_secret'] },
  {
    table: 'connect_requests',
    row: ['state_sha256'],
    columns: ['code_verifier', 'shared_secret', 'webhook_secret'],
  },
] as const;
