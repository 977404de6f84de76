import { Copyable } from '../../../pages/index.js';
import { Notice } from '../../components/notice.js';
import { Dashboard } from '../../layout.js';
import type { Page } from '../../page.js';
import { redirect } from '../../replies.js';
import { PREFIX } from '../../routes.js';

/** Makes a key and shows it, the only time: no address that could be opened again leads here. */
export const createKey: Page = {
  path: '/access/keys',
  is_past_gate: true,
  get: () => redirect(`${PREFIX}/access`),
  async post(visit) {
    const name = (visit.form.fields.get('name') ?? '').trim();
    const { key } = await visit.core.accounts.createKey(visit.account_id, name);
    return (
      <Dashboard visit={visit} title="New API key" section="Access" width="narrow" scripts={['copy']}>
        <h1>The new key</h1>
        <Notice tone="ok">
          <p>
            <strong>Copy it now: it is shown this once.</strong>
          </p>
          <Copyable text={key} label="Copy the key" />
        </Notice>
        <p>
          Programs send it in the header <code>X-Service-API-Key</code>. Whoever has it can do everything
          here, so keep it like a password.
        </p>
        <p>
          <a class="button" href={`${PREFIX}/access`}>
            I have saved it
          </a>
        </p>
      </Dashboard>
    );
  },
};
