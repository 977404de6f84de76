import type { Page } from '../../page.js';
import { endGrant } from './end_grant.js';
import { createKey } from './create_key.js';
import { revokeKey } from './revoke_key.js';
import { access } from './show.js';

/** Access to the account: programs with a key, and assistants that a person allowed. */
export const accessPages: Page[] = [access, createKey, revokeKey, endGrant];
