import { deliveryStatus, type Delivery, type DeliveryStatus } from '../../../../schemas/delivery.js';
import { Time } from '../../../pages/index.js';
import { Badge } from '../../components/badge.js';
import { Pager, type PagerProps } from '../../components/pager.js';
import { Table } from '../../components/table.js';
import { getOffset } from '../../ids.js';
import { Dashboard } from '../../layout.js';
import type { Framing, Page } from '../../page.js';
import { PREFIX, toDeliveryPath } from '../../routes.js';
import { DestinationForm } from './destination_form.js';
import { DestinationCard } from './destination_card.js';
import { findEndpoint, toEventWords, type EndpointDetail } from './endpoint.js';
import { STATUS_WORDS } from './words.js';

const PAGE_SIZE = 25;

export const webhooks: Page = {
  path: '/webhooks',
  async get(visit) {
    const status = deliveryStatus.safeParse(visit.request.query.get('status')).data;
    const [endpoint, page] = await Promise.all([
      findEndpoint(visit.operations),
      visit.operations.call('webhooks_deliveries', {
        limit: PAGE_SIZE,
        offset: getOffset(visit),
        ...(status && { status }),
      }),
    ]);
    return <Webhooks visit={visit} endpoint={endpoint} status={status} page={page} />;
  },
};

type Props = {
  visit: Framing;
  endpoint: EndpointDetail | undefined;
  status: DeliveryStatus | undefined;
  page: { deliveries: readonly Delivery[] } & Omit<PagerProps, 'buildHref'>;
};

function Webhooks({ visit, endpoint, status, page }: Props) {
  const { deliveries } = page;
  const hasDeliveries = deliveries.length > 0 || status !== undefined || page.total > 0;
  return (
    <Dashboard visit={visit} title="Webhooks" section="Webhooks">
      <div class="stack tight">
        <h1>Webhooks</h1>
        <p class="note">
          Orders of your shops are sent to a program of yours, signed, as they happen.{' '}
          <a href="/docs/webhooks">How receivers check them</a>
        </p>
      </div>
      {endpoint ? (
        <DestinationCard visit={visit} endpoint={endpoint} />
      ) : (
        <section class="card">
          <h2>Where should they go?</h2>
          <DestinationForm visit={visit} url="" events={undefined} submit="Save destination" />
        </section>
      )}
      {(endpoint || hasDeliveries) && (
        <section class="stack">
          <h2 id="deliveries">Deliveries</h2>
          {hasDeliveries && <Filter status={status} />}
          {page.total === 0 && <NoDeliveries status={status} />}
          {deliveries.length > 0 && <Deliveries deliveries={deliveries} />}
          <Pager {...page} buildHref={(offset) => buildHref(status, offset)} />
        </section>
      )}
    </Dashboard>
  );
}

function buildHref(status: DeliveryStatus | undefined, offset = 0): string {
  const query = new URLSearchParams({
    ...(status && { status }),
    ...(offset > 0 && { offset: `${offset}` }),
  });
  const text = query.toString();
  return `${PREFIX}/webhooks${text && `?${text}`}#deliveries`;
}

function Filter({ status }: { status: DeliveryStatus | undefined }) {
  const choices = [undefined, ...deliveryStatus.options];
  return (
    <nav aria-label="Which deliveries" class="filter">
      {choices.map((choice) => (
        <a href={buildHref(choice)} aria-current={choice === status ? 'true' : undefined} key={choice}>
          {choice === undefined ? 'All' : STATUS_WORDS[choice].word}
        </a>
      ))}
    </nav>
  );
}

function NoDeliveries({ status }: { status: DeliveryStatus | undefined }) {
  return status === undefined ? (
    <div class="empty">
      <h3>Nothing has been sent yet</h3>
      <p>The first order creates a delivery, and so does a test event.</p>
    </div>
  ) : (
    <div class="empty">
      <h3>None of these</h3>
      <p>
        No delivery has the state “{STATUS_WORDS[status].word}” now.{' '}
        <a href={buildHref(undefined)}>Show all</a>
      </p>
    </div>
  );
}

/** Replaces the receiver's response; the page of the delivery says why there is none. */
const NO_ANSWER: Record<DeliveryStatus, string> = {
  pending: 'Not sent yet',
  success: '',
  failed: 'No answer',
};

/** One line each; the event's name links to its details. */
export function Deliveries({ deliveries }: { deliveries: readonly Delivery[] }) {
  return (
    <Table
      label="Deliveries"
      columns={[
        { name: 'Event' },
        { name: 'How it went' },
        { name: 'Answer' },
        { name: 'Try' },
        { name: 'When' },
      ]}
      rows={deliveries.map(({ id, event_type, status, response_status_code, attempt, created_at }) => ({
        key: id,
        cells: [
          <a href={toDeliveryPath(id)}>
            {toEventWords(event_type)}
            <span class="visually-hidden"> {id}</span>
          </a>,
          <Badge tone={STATUS_WORDS[status].tone}>{STATUS_WORDS[status].word}</Badge>,
          <span class="number">{response_status_code ?? NO_ANSWER[status]}</span>,
          <span class="number">{attempt}</span>,
          <Time at={created_at} />,
        ],
      }))}
    />
  );
}
