import { Foreign } from '../../../pages/index.js';
import { Confirm } from '../../components/confirm.js';
import type { Page } from '../../page.js';
import { redirect } from '../../replies.js';
import { PREFIX } from '../../routes.js';
import { findEndpoint } from './endpoint.js';

export const remove: Page = {
  path: '/webhooks/remove',
  async get(visit) {
    const endpoint = await findEndpoint(visit.operations);
    if (!endpoint) return redirect(`${PREFIX}/webhooks`);
    return (
      <Confirm
        visit={visit}
        section="Webhooks"
        title="Remove the destination?"
        yes="Remove"
        no="Keep it"
        back={`${PREFIX}/webhooks`}
      >
        <p>
          <code>
            <Foreign text={endpoint.url} />
          </code>
        </p>
        <p>
          What waits to be sent there is dropped, and its secret is forgotten. Orders are still recorded, but
          not sent anywhere.
        </p>
      </Confirm>
    );
  },
  async post(visit) {
    await visit.operations.call('webhook_endpoint_delete', {});
    return redirect(`${PREFIX}/webhooks`);
  },
};
