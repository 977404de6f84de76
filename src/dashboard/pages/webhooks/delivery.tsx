import type { z } from 'zod/v3';
import type { deliveriesPage, Delivery } from '../../../../schemas/delivery.js';
import { describeFailure } from '../../../core/webhooks/deliveries/failure_words.js';
import { Foreign, Time } from '../../../pages/index.js';
import { Action } from '../../components/action.js';
import { Badge } from '../../components/badge.js';
import { Notice } from '../../components/notice.js';
import { getDeliveryId } from '../../ids.js';
import { Dashboard } from '../../layout.js';
import type { Framing, Page } from '../../page.js';
import { redirect } from '../../replies.js';
import { PREFIX, toDeliveryPath } from '../../routes.js';
import { toEventWords } from './endpoint.js';
import { Deliveries } from './show.js';
import { STATUS_WORDS } from './words.js';

type Detail = z.output<typeof deliveriesPage>['deliveries'][number];

/** One delivery: its endpoint, its body, and the response. */
export const delivery: Page = {
  path: '/webhooks/deliveries/{delivery_id}',
  async get(visit) {
    const { deliveries } = await visit.operations.call('webhooks_deliveries', { id: getDeliveryId(visit) });
    const [detail] = deliveries;
    if (!detail) throw new Error('A delivery that was found is not in the answer.');
    const attempts = await visit.core.deliveries.listAttempts(visit.account_id, detail.event_id ?? '');
    const isShown = visit.request.query.get('content') === 'shown';
    return <DeliveryPage visit={visit} detail={detail} attempts={attempts} isShown={isShown} />;
  },
};

/** Sends it again, immediately, and shows the new delivery. */
export const sendAgain: Page = {
  path: '/webhooks/deliveries/{delivery_id}/send-again',
  is_outward: true,
  get: (visit) => redirect(toDeliveryPath(getDeliveryId(visit))),
  async post(visit) {
    const { delivery_id } = await visit.operations.call('webhook_delivery_retry', {
      delivery_id: getDeliveryId(visit),
    });
    return redirect(toDeliveryPath(delivery_id));
  },
};

type Props = {
  visit: Framing;
  detail: Detail;
  /** All deliveries of the same event, including this one. */
  attempts: readonly Delivery[];
  /**
   * Whether to show the content: it may have the name and address of a buyer, so it is shown only on request.
   */
  isShown: boolean;
};

function DeliveryPage({ visit, detail, attempts, isShown }: Props) {
  const { id, event_type, status, payload = null } = detail;
  return (
    <Dashboard visit={visit} title={`${toEventWords(event_type)}, delivery ${id}`} section="Webhooks">
      <div class="stack tight">
        <p class="crumbs">
          <a href={`${PREFIX}/webhooks`}>Webhooks</a>
        </p>
        <h1>{toEventWords(event_type)}</h1>
        <p class="row">
          <Badge tone={STATUS_WORDS[status].tone}>{STATUS_WORDS[status].word}</Badge>
          <span class="note">
            Delivery {id}, try {detail.attempt}
          </span>
        </p>
      </div>
      <Outcome detail={detail} />
      <div class="columns">
        <aside class="stack" aria-label="State and actions">
          {payload !== null && (
            <div class="actions">
              <Action
                visit={visit}
                to={`${toDeliveryPath(id)}/send-again`}
                label={status === 'pending' ? 'Send it now' : 'Send again'}
              />
            </div>
          )}
          <Facts detail={detail} />
        </aside>
        <section class="stack tight">
          <h2>What {status === 'pending' ? 'is' : 'was'} sent</h2>
          <Content payload={payload} isShown={isShown} href={`${toDeliveryPath(id)}?content=shown`} />
        </section>
      </div>
      {attempts.length > 1 && (
        <section class="stack">
          <h2>Every try of this event</h2>
          <Deliveries deliveries={attempts} />
        </section>
      )}
    </Dashboard>
  );
}

type ContentProps = { payload: Detail['payload'] | null; isShown: boolean; href: string };

function Content({ payload = null, isShown, href }: ContentProps) {
  if (payload === null) {
    return (
      <p class="note">
        The content was destroyed, after 30 days or with the destination that it was for, so it cannot be sent
        again.
      </p>
    );
  }
  return (
    <>
      <p class="note">
        The content of an order has the buyer’s name, address and message. It is stored encrypted for 30 days,
        so that you can inspect it and send it again, and destroyed at once if you delete the destination.
      </p>
      {isShown ? (
        <pre tabIndex={0} aria-label="Content">
          <code>
            <Foreign text={JSON.stringify(payload, null, 2)} />
          </code>
        </pre>
      ) : (
        <p>
          <a href={href}>Show the content</a>
        </p>
      )}
    </>
  );
}

function Outcome({ detail }: Pick<Props, 'detail'>) {
  const { status, error = null, due_at = null, response_status_code } = detail;
  if (status === 'failed') {
    return (
      <Notice tone="bad">
        <p>
          <Foreign text={describeFailure(error ?? 'It failed.')} />
        </p>
      </Notice>
    );
  }
  if (status === 'success') {
    return (
      <Notice tone="ok">
        <p>The receiver took it, with {response_status_code}.</p>
      </Notice>
    );
  }
  return (
    <Notice tone="wait">
      {due_at === null ? (
        <p>It is being sent, or waits for an earlier event of the same order.</p>
      ) : (
        <p>
          It is sent at <Time at={due_at} />.
        </p>
      )}
    </Notice>
  );
}

function Facts({ detail }: Pick<Props, 'detail'>) {
  const { url = '', event_id = '', created_at, completed_at = null, response_status_code } = detail;
  return (
    <section class="card">
      <h2>Delivery</h2>
      <dl class="facts">
        <dt>To</dt>
        <dd>
          <code>
            <Foreign text={url} />
          </code>
        </dd>
        <dt>Answer</dt>
        <dd class="number">{response_status_code ?? 'none'}</dd>
        <dt>Made</dt>
        <dd>
          <Time at={created_at} />
        </dd>
        {completed_at !== null && (
          <>
            <dt>Ended</dt>
            <dd>
              <Time at={completed_at} />
            </dd>
          </>
        )}
        <dt>Event</dt>
        <dd>
          <code>{event_id}</code>
        </dd>
      </dl>
    </section>
  );
}
