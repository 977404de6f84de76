import { ServiceError } from '../../../core/errors.js';
import { Foreign } from '../../../pages/index.js';
import { Confirm } from '../../components/confirm.js';
import type { Page } from '../../page.js';
import { redirect } from '../../replies.js';
import { PREFIX } from '../../routes.js';

export const endGrant: Page = {
  path: '/access/grants/{grant_id}/end',
  is_past_gate: true,
  async get(visit) {
    const grants = await visit.core.grants.list(visit.account_id);
    const found = grants.find(({ grant_id }) => grant_id === visit.params['grant_id']);
    if (!found) throw buildUnknownGrant();
    return (
      <Confirm
        visit={visit}
        section="API keys and assistants"
        title="End this assistant’s access?"
        yes="End access"
        no="Keep it"
        back={`${PREFIX}/access`}
      >
        <p>
          <strong>
            <Foreign text={found.client_name} />
          </strong>
          , reached at <Foreign text={found.receiver} />
        </p>
        <p>It is refused from now on, until it asks and you agree again. What it made stays.</p>
      </Confirm>
    );
  },
  async post({ core, account_id, params }) {
    if (!(await core.grants.end(account_id, params['grant_id'] ?? ''))) throw buildUnknownGrant();
    return redirect(`${PREFIX}/access`);
  },
};

function buildUnknownGrant(): ServiceError {
  return new ServiceError('NOT_FOUND', { code: 'assistant_not_found', params: {} });
}
