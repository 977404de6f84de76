import { Copyable } from '../../../pages/index.js';
import { Notice } from '../../components/notice.js';
import { Dashboard } from '../../layout.js';
import type { Framing } from '../../page.js';
import { PREFIX } from '../../routes.js';

type Props = { visit: Framing; secret: string; is_first?: boolean };

/** The signing secret, the only time that it is shown. */
export function Secret({ visit, secret, is_first = false }: Props) {
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
        Your program checks with it that a delivery comes from here and is whole.{' '}
        {!is_first && 'The old secret stays valid beside it for 24 hours. '}
        <a href="/docs/webhooks">How receivers check them</a>
      </p>
      <p>
        <a class="button" href={`${PREFIX}/webhooks`}>
          I have saved it
        </a>
      </p>
    </Dashboard>
  );
}
