import type { ListingSummary } from '../../../schemas/listing.js';
import type { OrdersPage } from '../../core/orders/list.js';
import type { ConnectedShop } from '../../core/ports/index.js';
import { Foreign } from '../../pages/index.js';
import type { ChangedElsewhere } from '../../core/listings/observed/changed_elsewhere.js';
import { formatCount } from '../../core/text/format_count.js';
import type { StoppedAfterRestore } from '../../core/listings/jobs/stopped_after_restore.js';
import type { Tone } from '../components/notice.js';
import type { OwnVisit } from '../page.js';
import { PREFIX, toListingPath, toShopPath } from '../routes.js';
import type { WebhookHealth } from '../webhook_health.js';
import { toFieldWords } from '../../core/issues/field_words.js';
import { findListings } from './find_listings.js';
import { buildListingsHref, ENDING_DAYS } from './listings_query.js';
import { isLate } from './orders.js';
import { buildOrdersHref } from './orders_query.js';

/** Something that waits for the seller, and the page where the seller can deal with it. */
export type Need = { what: string; why: string; href: string; way: string };

const MOST_NAMED = 3;
/** Orders to ship that are checked for being late. */
const MOST_ORDERS = 100;
/** For listings that are not named one by one. */
const MOST_TITLES = 10;
/**
 * Listings that sell nothing, or soon will not. `to`: the page below a single listing’s own where the seller
 * can deal with that.
 */
const STALLED = [
  {
    query: { shop_state: 'sold_out' },
    word: 'sold out',
    why: 'Renew with new stock, or leave as is. The next page shows the fee.',
    way: 'Renew',
    to: '/back-on-sale',
  },
  {
    query: { shop_state: 'active', is_ending: true },
    word: `expiring within ${ENDING_DAYS} days`,
    why: 'Turn auto-renew on or off under “Renew”.',
    way: 'Open',
    to: '',
  },
  {
    query: { shop_state: 'expired' },
    word: 'expired',
    why: 'The four months are over. Renewing costs a listing fee.',
    way: 'Renew',
    to: '/back-on-sale',
  },
  {
    query: { shop_state: 'removed' },
    word: 'removed from a shop',
    why: 'Etsy removed it, or someone deleted it outside this service.',
    way: 'Open',
    to: '',
  },
] as const;

export async function listNeeds(
  visit: Pick<OwnVisit, 'operations' | 'core' | 'account_id'>,
  shops: readonly ConnectedShop[],
  webhooks: WebhookHealth,
  now: Date,
): Promise<Need[]> {
  const { operations, core, account_id } = visit;
  const [stopped, elsewhere, orders] = await Promise.all([
    core.listings.listStoppedAfterRestore(account_id),
    core.listings.listChangedElsewhere(account_id),
    core.orders.list(account_id, { is_to_send: true, limit: MOST_ORDERS, offset: 0 }),
  ]);
  const [unfinished, ...stalled] = await Promise.all([
    operations.call('listings_list', { status: 'incomplete', limit: MOST_NAMED }),
    ...STALLED.map(({ query }) => findListings(visit, query, { limit: 1, offset: 0 }, now)),
  ]);
  const unread = shops.filter(({ shop_id }) =>
    orders.unreadable.some((shop) => shop.shop_id === shop_id && shop.reason === 'scope'),
  );
  return [
    ...(orders.total > 0 ? [toOrdersToSend(orders, now)] : []),
    ...shops.filter(({ is_reconnect_required }) => is_reconnect_required).map(toReconnect),
    ...unread.map(toUnreadOrders),
    ...unfinished.listings.map(toUnfinished),
    ...(unfinished.total > unfinished.listings.length ? [toMore(unfinished.total - MOST_NAMED)] : []),
    ...STALLED.flatMap(({ query, word, why, way, to }, index): Need[] => {
      const { total = 0, listings = [] } = stalled[index] ?? {};
      const [only] = listings;
      if (total === 0 || !only) return [];
      if (total === 1) {
        const href = toListingPath(only.listing_pk) + to;
        return [{ what: `${only.title}: ${word}`, why, href, way }];
      }
      return [{ what: `${total} listings: ${word}`, why, href: buildListingsHref(query), way }];
    }),
    ...stopped.slice(0, MOST_NAMED).map(toStopped),
    ...toRest(stopped, 'with a change that was stopped after a backup was restored'),
    ...elsewhere.slice(0, MOST_NAMED).map(toElsewhere),
    ...toRest(elsewhere, 'changed outside this service'),
    ...(webhooks.tone === 'bad' ? [toFailing(webhooks)] : []),
  ];
}

function toOrdersToSend({ total, items }: OrdersPage, now: Date): Need {
  const late = items.filter((order) => isLate(order, now)).length;
  const isAll = items.length === total;
  return {
    what: `${formatCount(total, 'order')} to ship${late > 0 ? `, ${isAll ? '' : 'at least '}${late} late` : ''}`,
    why: 'Paid, and not shipped yet. Mark orders as shipped in Shop Manager.',
    href: buildOrdersHref({ is_to_send: true }),
    way: 'Open',
  };
}

function toUnreadOrders({ shop_id, details }: ConnectedShop): Need {
  return {
    what: `Orders from ${details.shop_name} cannot be read`,
    why: 'Its owner has not let this service read orders.',
    href: toShopPath(shop_id),
    way: 'Connect it again',
  };
}

function toReconnect({ shop_id, details }: ConnectedShop): Need {
  return {
    what: `${details.shop_name} has to be connected again`,
    why: 'Etsy no longer lets this service access it.',
    href: toShopPath(shop_id),
    way: 'Connect it again',
  };
}

function toUnfinished({ listing_pk, title }: ListingSummary): Need {
  return {
    what: `${title}: unfinished`,
    why: 'Something is missing in at least one of its shops.',
    href: toListingPath(listing_pk),
    way: 'Finish or abandon it',
  };
}

function toMore(count: number): Need {
  return {
    what: count === 1 ? 'One more listing is unfinished' : `${count} more listings are unfinished`,
    why: 'Something is missing in at least one of their shops.',
    href: buildListingsHref({ status: 'incomplete' }),
    way: 'Open',
  };
}

function toElsewhere({ listing_pk, title, fields, shop_names }: ChangedElsewhere): Need {
  return {
    what: `${title}: changed in ${shop_names.join(', ')} outside this service`,
    why: `Different from what is saved here: ${fields.map(toFieldWords).join(', ')}.`,
    href: toListingPath(listing_pk),
    way: 'Compare',
  };
}

/** The listings that are not named one by one. No filter of the list finds them, so their titles are shown. */
function toRest(all: readonly { title: string }[], what: string): Need[] {
  const rest = all.slice(MOST_NAMED);
  if (rest.length === 0) return [];
  const titles = rest.slice(0, MOST_TITLES).map(({ title }) => `“${toShortText(title)}”`);
  const more = rest.length > MOST_TITLES ? `, and ${rest.length - MOST_TITLES} more` : '';
  return [
    {
      what: `${formatCount(rest.length, 'more listing')} ${what}`,
      why: `${titles.join(', ')}${more}.`,
      href: buildListingsHref({ sort: 'changed' }),
      way: 'Open the listings',
    },
  ];
}

function toStopped({ listing_pk, title, shops }: StoppedAfterRestore): Need {
  const words = shops.flatMap(({ shop_name, drift }) =>
    drift.map(
      ({ field, ours, theirs }) =>
        `${shop_name}, ${toFieldWords(field)}: ${toShortText(theirs)} there, ${toShortText(ours)} by the change`,
    ),
  );
  const rest = words.length > MOST_NAMED ? ` and ${words.length - MOST_NAMED} more` : '';
  return {
    what: `${title}: a change was stopped after a backup was restored`,
    why: `The shop was changed since the backup. ${words.slice(0, MOST_NAMED).join('; ')}${rest}. Make the change again if you still want it.`,
    href: toListingPath(listing_pk),
    way: 'Compare',
  };
}

const MOST_CHARS = 60;

function toShortText(value: unknown): string {
  const text = Array.isArray(value)
    ? value.join(', ')
    : typeof value === 'string'
      ? value
      : JSON.stringify(value ?? 'none');
  return text.length > MOST_CHARS ? `${text.slice(0, MOST_CHARS)}…` : text;
}

function toFailing({ word, sentence }: WebhookHealth): Need {
  return {
    what: `Webhooks: ${word.toLowerCase()}`,
    why: sentence,
    href: `${PREFIX}/webhooks`,
    way: 'See why',
  };
}

/** The first thing on the page Today. */
export function Needs({ needs }: { needs: readonly Need[] }) {
  return (
    <NeedList
      title={needs.length === 0 ? 'Nothing needs your attention' : 'Needs your attention'}
      needs={needs}
    />
  );
}

export function NeedList({
  title,
  needs,
  tone = 'bad',
}: {
  title: string;
  needs: readonly Need[];
  tone?: Tone;
}) {
  return (
    <section class="stack">
      <h2>{title}</h2>
      {needs.length > 0 && (
        <ul class="needs" data-tone={tone}>
          {needs.map(({ what, why, href, way }) => (
            <li key={what} class="card">
              <div class="stack tight">
                <p>
                  <strong>
                    <Foreign text={what} />
                  </strong>
                </p>
                <p class="note">
                  <Foreign text={why} />
                </p>
              </div>
              <a class="button quiet" href={href}>
                {way}
                <span class="visually-hidden">
                  : <Foreign text={what} />
                </span>
              </a>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}
