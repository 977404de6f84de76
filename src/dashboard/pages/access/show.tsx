import type { ListedKey } from '../../../core/accounts.js';
import type { Grant } from '../../../core/grants/grants.js';
import type { ApiKey } from '../../../core/ports/index.js';
import { Foreign } from '../../../pages/index.js';
import { Badge } from '../../components/badge.js';
import { FormToken } from '../../components/form_token.js';
import { ScrollingTable } from '../../components/scrolling_table.js';
import { Time } from '../../components/time.js';
import { Dashboard } from '../../layout.js';
import type { OwnVisit, Page } from '../../page.js';
import { PREFIX } from '../../routes.js';

export const access: Page = {
  path: '/access',
  async get(visit) {
    const { core, account_id } = visit;
    const [keys, grants] = await Promise.all([
      core.accounts.listKeys(account_id),
      core.grants.list(account_id),
    ]);
    return (
      <Dashboard visit={visit} title="Access" section="Access">
        <div class="stack tight">
          <h1>Access</h1>
          <p class="note">
            Who may act for your shops besides you. <a href="/docs/access">How access works</a>
          </p>
        </div>
        <Assistants grants={grants} />
        <Keys visit={visit} keys={keys} />
      </Dashboard>
    );
  },
};

function Assistants({ grants }: { grants: readonly Grant[] }) {
  return (
    <section class="stack">
      <h2>Assistants</h2>
      {grants.length === 0 ? (
        <div class="empty">
          <h3>No assistant was let in</h3>
          <p>
            One that connects over the web asks you in this browser, and appears here once you have agreed.
            Those on this computer need no permission of their own.
          </p>
        </div>
      ) : (
        <ScrollingTable label="Assistants">
          <thead>
            <tr>
              <th scope="col">Calls itself</th>
              <th scope="col">Reached at</th>
              <th scope="col">May</th>
              <th scope="col">Let in</th>
              <th scope="col">Last used</th>
              <th scope="col">Ends if unused</th>
              <th scope="col">
                <span class="visually-hidden">What can be done</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {grants.map((grant) => (
              <tr key={grant.grant_id}>
                <th scope="row">
                  <Foreign text={grant.client_name} />
                </th>
                <td>
                  <Foreign text={grant.receiver} />
                </td>
                <td>{describeRight(grant.scope === 'read')}</td>
                <td>
                  <Time at={grant.created_at} />
                </td>
                <td>{grant.last_used_at === null ? 'never' : <Time at={grant.last_used_at} />}</td>
                <td>
                  <Time at={grant.expires_at} />
                </td>
                <td>
                  <a href={`${PREFIX}/access/grants/${grant.grant_id}/end`}>
                    End…
                    <span class="visually-hidden">
                      {' '}
                      <Foreign text={grant.client_name} />
                    </span>
                  </a>
                </td>
              </tr>
            ))}
          </tbody>
        </ScrollingTable>
      )}
    </section>
  );
}

function Keys({ visit, keys }: { visit: Pick<OwnVisit, 'csrf_token'>; keys: readonly ListedKey[] }) {
  return (
    <section class="stack">
      <h2>API keys</h2>
      {keys.length > 0 && (
        <ScrollingTable label="API keys">
          <thead>
            <tr>
              <th scope="col">Name</th>
              <th scope="col">Begins with</th>
              <th scope="col">May</th>
              <th scope="col">Made</th>
              <th scope="col">Last used</th>
              <th scope="col">Ends</th>
              <th scope="col">State</th>
            </tr>
          </thead>
          <tbody>
            {keys.map((key) => (
              <tr key={key.key_id}>
                <th scope="row">
                  <Foreign text={key.name} />
                </th>
                <td>
                  <code>{key.prefix}…</code>
                </td>
                <td>{describeRight(key.is_read_only)}</td>
                <td>
                  <Time at={key.created_at} />
                </td>
                <td>{key.last_used_at === null ? 'never' : <Time at={key.last_used_at} />}</td>
                <td>{key.expires_at === null ? 'never' : <Time at={key.expires_at} />}</td>
                <td>
                  <KeyState api_key={key} />
                </td>
              </tr>
            ))}
          </tbody>
        </ScrollingTable>
      )}
      <form class="card" method="post" action={`${PREFIX}/access/keys`}>
        <FormToken visit={visit} />
        <div class="field">
          <label for="name">Make a key for</label>
          <input
            id="name"
            name="name"
            type="text"
            required
            maxLength={80}
            autocomplete="off"
            placeholder="Warehouse script"
            aria-describedby="name-note"
          />
          <p class="note" id="name-note">
            The name of the program that gets it, so that you know later which key is whose.
          </p>
        </div>
        <div>
          <button type="submit">Make a key</button>
        </div>
      </form>
    </section>
  );
}

/** What a key or an assistant may do, behind the heading "May". */
function describeRight(is_read_only: boolean): string {
  return is_read_only ? 'read' : 'read and change';
}

function KeyState({ api_key }: { api_key: ListedKey }) {
  if (api_key.revoked_at !== null) return <Badge tone="idle">Revoked</Badge>;
  return api_key.is_expired ? <Badge tone="idle">Expired</Badge> : <RevokeLink api_key={api_key} />;
}

function RevokeLink({ api_key }: { api_key: ApiKey }) {
  return (
    <a href={`${PREFIX}/access/keys/${api_key.key_id}/revoke`}>
      Revoke…
      <span class="visually-hidden">
        {' '}
        <Foreign text={api_key.name} />
      </span>
    </a>
  );
}
