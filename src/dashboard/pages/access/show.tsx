import type { Grant } from '../../../core/identity/grants/grants.js';
import type { ApiKey } from '../../../core/ports/index.js';
import { Foreign, Time } from '../../../pages/index.js';
import { Badge } from '../../components/badge.js';
import { FormToken } from '../../components/form_token.js';
import { Table } from '../../components/table.js';
import { Dashboard } from '../../layout.js';
import type { Framing, Page } from '../../page.js';
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
      <Dashboard visit={visit} title="API keys and assistants" section="API keys and assistants">
        <div class="stack tight">
          <h1>API keys and assistants</h1>
          <p class="note">
            Who may act for your shops besides you. <a href="/docs/access">How access works</a>
          </p>
        </div>
        <Assistants grants={grants} />
        <Keys visit={visit} keys={keys} ends_at={findEnd(keys, visit.key_id)} />
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
          <h3>No assistants are connected</h3>
          <p>
            An assistant that connects over the web asks you in this browser, and appears here once you have
            agreed. Assistants on this computer need no permission.
          </p>
        </div>
      ) : (
        <Table
          label="Assistants"
          columns={[
            { name: 'Calls itself' },
            { name: 'Reached at' },
            { name: 'Access' },
            { name: 'Connected' },
            { name: 'Last used' },
            { name: 'Expires if unused' },
            { name: 'What can be done', is_nameless: true },
          ]}
          rows={grants.map((grant) => ({
            key: grant.grant_id,
            cells: [
              <Foreign text={grant.client_name} />,
              <Foreign text={grant.receiver} />,
              describeRight(grant.scope === 'read'),
              <Time at={grant.created_at} />,
              grant.last_used_at === null ? 'never' : <Time at={grant.last_used_at} />,
              <Time at={grant.expires_at} />,
              <a href={`${PREFIX}/access/grants/${grant.grant_id}/end`}>
                End…
                <span class="visually-hidden">
                  {' '}
                  <Foreign text={grant.client_name} />
                </span>
              </a>,
            ],
          }))}
        />
      )}
    </section>
  );
}

/** When keys created now expire: together with the key that the person signed in with; null: never. */
function findEnd(keys: readonly ApiKey[], own_id: string | null): string | null {
  return keys.find(({ key_id }) => key_id === own_id)?.expires_at ?? null;
}

type KeysProps = { visit: Framing; keys: readonly ApiKey[]; ends_at: string | null };

function Keys({ visit, keys, ends_at }: KeysProps) {
  return (
    <section class="stack">
      <h2>API keys</h2>
      {keys.length > 0 && (
        <Table
          label="API keys"
          columns={KEY_COLUMNS}
          rows={keys.map((key) => ({
            key: key.key_id,
            cells: [
              <Foreign text={key.name} />,
              <code>{key.prefix}…</code>,
              describeRight(key.is_read_only),
              <Time at={key.created_at} />,
              key.last_used_at === null ? 'never' : <Time at={key.last_used_at} />,
              key.expires_at === null ? 'never' : <Time at={key.expires_at} />,
              <KeyState api_key={key} />,
            ],
          }))}
        />
      )}
      <form class="card" method="post" action={`${PREFIX}/access/keys`}>
        <FormToken visit={visit} />
        <div class="field">
          <label for="name">Key name</label>
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
            For example, the program that will use it.
            {ends_at !== null && (
              <>
                {' '}
                You signed in with a key that expires on <Time at={ends_at} />; a new key expires with it.
              </>
            )}
          </p>
        </div>
        <div>
          <button type="submit">Create key</button>
        </div>
      </form>
    </section>
  );
}

const KEY_COLUMNS = ['Name', 'Begins with', 'Access', 'Created', 'Last used', 'Expires', 'Status'].map(
  (name) => ({
    name,
  }),
);

/** The rights of a key or an assistant, under the heading "Access". */
function describeRight(isReadOnly: boolean): string {
  return isReadOnly ? 'read' : 'read and change';
}

function KeyState({ api_key }: { api_key: ApiKey }) {
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
