import type { ShopDetails, ShopLists } from '../../../schemas/shop.js';
import type { ConnectOutcome } from '../../core/ports/index.js';
import type { Json } from '../json.js';
import type { Bit } from './bit.js';

export type ShopTable = { [List in keyof ShopLists]: Json<ShopLists[List]> } & {
  account_id: string;
  shop_id: number;
  user_id: number;
  details: Json<ShopDetails>;
  last_synced_at: string;
  is_reconnect_required: Bit;
};

export type ShopTokenTable = {
  account_id: string;
  shop_id: number;
  access_token: Buffer;
  refresh_token: Buffer;
  access_expires_at: string;
  scopes: Json<string[]>;
  /** The application that the tokens were issued to; null: the installation's own. */
  keystring: string | null;
};

export type ApplicationTable = {
  account_id: string;
  keystring: string;
  shared_secret: Buffer;
  webhook_secret: Buffer | null;
  created_at: string;
};

export type ConnectRequestTable = {
  account_id: string;
  state_sha256: string;
  /** Null once it was returned. */
  code_verifier: Buffer | null;
  redirect_uri: string;
  shop_id: number | null;
  browser_sha256: string | null;
  return_path: string | null;
  expires_at: string;
  taken_at: string | null;
  outcome: Json<ConnectOutcome> | null;
  keystring: string | null;
  /** This and the next one are null if the application is known, and once they were returned. */
  shared_secret: Buffer | null;
  webhook_secret: Buffer | null;
};
