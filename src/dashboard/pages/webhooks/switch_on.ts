import type { Page } from '../../page.js';
import { redirect } from '../../replies.js';
import { PREFIX } from '../../routes.js';

/** Sets the destination again unchanged, which switches it on. */
export const switchOn: Page = {
  path: '/webhooks/switch-on',
  get: () => redirect(`${PREFIX}/webhooks`),
  async post({ operations }) {
    const { url } = await operations.call('webhook_endpoint_get', {});
    await operations.call('webhook_endpoint_set', { url });
    return redirect(`${PREFIX}/webhooks`);
  },
};
