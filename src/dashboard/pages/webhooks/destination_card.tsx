import { Foreign, Time } from '../../../pages/index.js';
import { Action } from '../../components/action.js';
import { Badge } from '../../components/badge.js';
import { Notice } from '../../components/notice.js';
import type { Framing } from '../../page.js';
import { PREFIX } from '../../routes.js';
import { EVENT_WORDS, type EndpointDetail } from './endpoint.js';

type Props = { visit: Framing; endpoint: EndpointDetail };

/** Where events go, the state of recent deliveries, and the available actions. */
export function DestinationCard({ visit, endpoint }: Props) {
  const { url, events, enabled, previous_secret_valid_until } = endpoint;
  return (
    <section class="card">
      <div class="row between">
        <h2>Destination</h2>
        <Health endpoint={endpoint} />
      </div>
      <p>
        <code>
          <Foreign text={url} />
        </code>
      </p>
      <ul class="chips" aria-label="Events">
        {events.map((event) => (
          <li key={event}>{EVENT_WORDS[event]}</li>
        ))}
      </ul>
      <Trouble endpoint={endpoint} />
      {previous_secret_valid_until !== null && (
        <p class="note">
          The secret was changed: deliveries carry signatures of the old one, too, until{' '}
          <Time at={previous_secret_valid_until} />.
        </p>
      )}
      <div class="row">
        {enabled ? (
          <Action visit={visit} to={`${PREFIX}/webhooks/test`} label="Send a test event" />
        ) : (
          <Action visit={visit} to={`${PREFIX}/webhooks/switch-on`} label="Switch on again" />
        )}
        <a class="button quiet" href={`${PREFIX}/webhooks/destination`}>
          Change…
        </a>
        <a class="button quiet" href={`${PREFIX}/webhooks/secret`}>
          New secret…
        </a>
        <a class="button danger" href={`${PREFIX}/webhooks/remove`}>
          Remove…
        </a>
      </div>
    </section>
  );
}

function Health({ endpoint: { enabled, failing_since } }: Pick<Props, 'endpoint'>) {
  if (!enabled) return <Badge tone="bad">Off</Badge>;
  return failing_since === null ? <Badge tone="ok">On</Badge> : <Badge tone="bad">Failing</Badge>;
}

function Trouble({ endpoint }: Pick<Props, 'endpoint'>) {
  const { enabled, switch_off_reason, switched_off_at, failing_since } = endpoint;
  if (!enabled) {
    return (
      <Notice tone="bad">
        <p>
          {switch_off_reason === 'gone'
            ? 'The receiver answered 410, which means that it is gone for good.'
            : 'Nothing arrived there for five days.'}{' '}
          It was switched off{switched_off_at !== null && [' on ', <Time at={switched_off_at} />]}, and orders
          are not sent anywhere.
        </p>
      </Notice>
    );
  }
  if (failing_since === null) return null;
  return (
    <Notice tone="wait">
      <p>
        Nothing has arrived there since <Time at={failing_since} />. It is tried again at growing intervals;
        after five days it is switched off.
      </p>
    </Notice>
  );
}
