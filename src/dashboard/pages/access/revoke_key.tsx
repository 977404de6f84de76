import { ServiceError } from '../../../core/errors.js';
import { Foreign } from '../../../pages/index.js';
import { Confirm } from '../../components/confirm.js';
import type { Page } from '../../page.js';
import { redirect } from '../../replies.js';
import { PREFIX } from '../../routes.js';

export const revokeKey: Page = {
  path: '/access/keys/{key_id}/revoke',
  is_past_gate: true,
  async get(visit) {
    const keys = await visit.core.accounts.listKeys(visit.account_id);
    const found = keys.find(({ key_id }) => key_id === visit.params['key_id']);
    if (!found) throw buildUnknownKey();
    if (found.revoked_at !== null) return redirect(`${PREFIX}/access`);
    return (
      <Confirm
        visit={visit}
        section="API keys and assistants"
        title="Revoke this key?"
        yes="Revoke"
        no="Keep it"
        back={`${PREFIX}/access`}
      >
        <p>
          <strong>
            <Foreign text={found.name} />
          </strong>{' '}
          <code>{found.prefix}…</code>
        </p>
        <p>
          The program that has it is refused from now on; whoever signed in here with it is signed out, and so
          are the assistants let in with it. It cannot be brought back.
        </p>
      </Confirm>
    );
  },
  async post({ core, account_id, params }) {
    if (!(await core.accounts.revokeKey(account_id, params['key_id'] ?? ''))) throw buildUnknownKey();
    return redirect(`${PREFIX}/access`);
  },
};

function buildUnknownKey(): ServiceError {
  return new ServiceError('NOT_FOUND', { code: 'api_key_not_found', params: {} });
}
