import type { Authorization } from '../../core/identity/grants/authorization.js';
import { describeReceiver } from '../../core/identity/grants/redirect_uri.js';
import { Foreign } from '../../pages/index.js';

/** The client that asks: the name it gave itself, the evidence for that name, and where the response goes. */
export function ClientCard({ authorization: { client, redirect_uri } }: { authorization: Authorization }) {
  return (
    <dl class="facts">
      <dt>Calls itself</dt>
      <dd>
        <strong>
          <Foreign text={client.name} />
        </strong>
      </dd>
      <dt>Known by</dt>
      <dd>
        {client.client_id.startsWith('https://') ? (
          <>
            a document at <code>{new URL(client.client_id).host}</code>
          </>
        ) : (
          'nobody: the name is what it says of itself'
        )}
      </dd>
      <dt>Answer goes to</dt>
      <dd>
        <Receiver redirect_uri={redirect_uri} />
      </dd>
    </dl>
  );
}

function Receiver({ redirect_uri }: { redirect_uri: string }) {
  const { kind, name } = describeReceiver(redirect_uri);
  switch (kind) {
    case 'site':
      return <code>{name}</code>;
    case 'computer':
      return (
        <>
          a program on this computer (<code>{name}</code>). Go on only if you started it just now.
        </>
      );
    case 'application':
      return (
        <>
          the application that opens <code>{name}:</code> addresses. Go on only if you started it just now.
        </>
      );
  }
}
