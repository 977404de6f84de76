import { Confirm } from '../../components/confirm.js';
import type { Page } from '../../page.js';
import { redirect } from '../../replies.js';
import { PREFIX } from '../../routes.js';
import type { ShownOnce } from '../../shown_once.js';
import { findEndpoint } from './endpoint.js';
import { SECRET_PATHS } from './secret.js';

/** A new signing secret in addition to the old one. */
export function createRotate(shown_once: ShownOnce): Page {
  return {
    path: '/webhooks/secret',
    async get(visit) {
      if (!(await findEndpoint(visit.operations))) return redirect(`${PREFIX}/webhooks`);
      return (
        <Confirm
          visit={visit}
          section="Webhooks"
          title="Make a new secret?"
          yes="Make a new secret"
          no="Keep the old one"
          back={`${PREFIX}/webhooks`}
          is_harmless
        >
          <p>
            For 24 hours deliveries are signed with both, the old secret and the new one, so that your program
            can take the new one over without losing any. After that only the new one counts.
          </p>
        </Confirm>
      );
    },
    async post(visit) {
      const { url } = await visit.operations.call('webhook_endpoint_get', {});
      const { secret = '' } = await visit.operations.call('webhook_endpoint_set', {
        url,
        rotate_secret: true,
      });
      return shown_once.leave(visit, SECRET_PATHS.next, secret);
    },
  };
}
