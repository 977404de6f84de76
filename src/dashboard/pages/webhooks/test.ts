import type { Page } from '../../page.js';
import { redirect } from '../../replies.js';
import { PREFIX, toDeliveryPath } from '../../routes.js';

/** Sends an event marked as a test, and shows the result. */
export const test: Page = {
  path: '/webhooks/test',
  is_outward: true,
  get: () => redirect(`${PREFIX}/webhooks`),
  async post({ operations }) {
    const { delivery_id } = await operations.call('webhook_test', {});
    return redirect(toDeliveryPath(delivery_id));
  },
};
