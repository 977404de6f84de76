import { Copyable } from '../../../pages/index.js';
import { Notice } from '../../components/notice.js';
import { Dashboard } from '../../layout.js';
import type { Framing, Page } from '../../page.js';
import { redirect, show } from '../../replies.js';
import { PREFIX } from '../../routes.js';
import type { ShownOnce } from '../../shown_once.js';

const PATH = `${PREFIX}/access/keys`;

/** Creates a key and shows it for the only time. */
export function createCreateKey(shown_once: ShownOnce): Page {
  return {
    path: '/access/keys',
    is_past_gate: true,
    async get(visit) {
      const key = await shown_once.take(visit, PATH);
      if (key === undefined) return redirect(`${PREFIX}/access`);
      return show(<NewKey visit={visit} text={key} />, { headers: shown_once.headers });
    },
    async post(visit) {
      const name = (visit.form.fields.get('name') ?? '').trim();
      const { key } = await visit.core.accounts.createKey(visit.account_id, name, {
        made_with: visit.key_id,
      });
      return shown_once.leave(visit, PATH, key);
    },
  };
}

function NewKey({ visit, text }: { visit: Framing; text: string }) {
  return (
    <Dashboard
      visit={visit}
      title="New API key"
      section="API keys and assistants"
      width="narrow"
      scripts={['copy']}
    >
      <h1>The new key</h1>
      <Notice tone="ok">
        <p>
          <strong>Copy it now: it is shown this once.</strong>
        </p>
        <Copyable text={text} label="Copy the key" />
      </Notice>
      <p>
        Programs send it in the header <code>X-Service-API-Key</code>. Whoever has it can do everything that
        you can do here, so keep it like a password.
      </p>
      <p>
        <a class="button" href={`${PREFIX}/access`}>
          I have saved it
        </a>
      </p>
    </Dashboard>
  );
}
