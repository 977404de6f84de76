import { Copyable } from '../../../pages/index.js';
import { Notice } from '../../components/notice.js';
import { Dashboard } from '../../layout.js';
import type { Framing, Page } from '../../page.js';
import { redirect, show } from '../../replies.js';
import { PREFIX } from '../../routes.js';
import type { ShownOnce } from '../../shown_once.js';

const PAGES = { first: '/webhooks/secret/first', next: '/webhooks/secret/next' } as const;

/** The pages that show the secret of a new destination, and a secret that replaces another. */
export const SECRET_PATHS = { first: `${PREFIX}${PAGES.first}`, next: `${PREFIX}${PAGES.next}` } as const;

/** The signing secret, shown for the only time. */
export function createSecretPages(shown_once: ShownOnce): Page[] {
  return Object.values(PAGES).map((path): Page => ({
    path,
    async get(visit) {
      const secret = await shown_once.take(visit, `${PREFIX}${path}`);
      if (secret === undefined) return redirect(`${PREFIX}/webhooks`);
      const page = <Secret visit={visit} secret={secret} is_first={path === PAGES.first} />;
      return show(page, { headers: shown_once.headers });
    },
  }));
}

function Secret({ visit, secret, is_first }: { visit: Framing; secret: string; is_first: boolean }) {
  return (
    <Dashboard visit={visit} title="Signing secret" section="Webhooks" width="narrow" scripts={['copy']}>
      <h1>{is_first ? 'The destination is set' : 'The new secret'}</h1>
      <Notice tone="ok">
        <p>
          <strong>Copy the signing secret now: it is shown this once.</strong>
        </p>
        <Copyable text={secret} label="Copy the secret" />
      </Notice>
      <p>
        Your program uses it to verify that a delivery was sent by this service and not changed.{' '}
        {!is_first && 'The old secret also stays valid for 24 hours. '}
        <a href="/docs/webhooks">How to verify deliveries</a>
      </p>
      <p>
        <a class="button" href={`${PREFIX}/webhooks`}>
          I have saved it
        </a>
      </p>
    </Dashboard>
  );
}
