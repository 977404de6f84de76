import type { Page } from '../../page.js';
import type { ShownOnce } from '../../shown_once.js';
import { endGrant } from './end_grant.js';
import { createCreateKey } from './create_key.js';
import { revokeKey } from './revoke_key.js';
import { access } from './show.js';

/** Access to the account: programs with a key, and assistants that a person authorized. */
export function createAccessPages(shown_once: ShownOnce): Page[] {
  return [access, createCreateKey(shown_once), revokeKey, endGrant];
}
