import type { Page } from '../../page.js';
import { endGrant } from './end_grant.js';
import { createKey } from './create_key.js';
import { revokeKey } from './revoke_key.js';
import { access } from './show.js';

/** Who may act for the account: programs with a key, assistants that a person let in. */
export const accessPages: Page[] = [access, createKey, revokeKey, endGrant];
