import type { Core } from '../../core/core.js';
import type { Page } from '../page.js';
import type { SessionCookie } from '../../pages/index.js';
import { overview } from './overview.js';
import { createSignIn, createSignOut } from './sign_in.js';

/** Every page of the dashboard. */
export function createPages(parts: { core: Core; cookie: SessionCookie }): Page[] {
  return [createSignIn(parts), createSignOut(parts), overview];
}
