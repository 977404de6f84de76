import type { GrantRecord } from '../../core/ports/index.js';
import type { Json } from '../json.js';
import type { Bit } from './bit.js';

export type ApiKeyTable = {
  expires_at: string | null;
  is_read_only: Bit;
  account_id: string;
  key_id: string;
  name: string;
  prefix: string;
  key_sha256: string;
  created_at: string;
  last_used_at: string | null;
  revoked_at: string | null;
};

export type OAuthClientTable = {
  client_id: string;
  name: string;
  redirect_uris: Json<string[]>;
  created_at: string;
  expires_at: string;
  /** Whether a person ever gave it consent. */
  is_used: Bit;
};

export type GrantTable = GrantRecord & {
  key_id: string | null;
  code_sha256: string;
  access_sha256: string | null;
  access_expires_at: string | null;
  family_sha256: string | null;
  refresh_sha256: string | null;
};
