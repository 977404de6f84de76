import type { LimitState } from '../../core/operations/limits.js';
import type { Clock, ConnectedShop } from '../../core/ports/index.js';
import { Foreign, Time } from '../../pages/index.js';
import { Badge } from '../components/badge.js';
import { Dashboard } from '../layout.js';
import type { Page } from '../page.js';
import { PREFIX, toShopPath } from '../routes.js';
import { findWebhookHealth, type WebhookHealth } from '../webhook_health.js';
import { toNames } from '../shop_names.js';
import { countListings, Counts } from './listing_counts.js';
import { countOnlyGivenUp, ListingList, NoListings } from './listings.js';
import { listChangeNeeds } from './changes/needs.js';
import { listNeeds, NeedList, Needs } from './needs.js';
import { ShopBadge } from './shops/badge.js';
import { listKept } from './shops/kept.js';
import type { Quotas } from '../../core/operations/quotas.js';
import { describeSize } from '../components/size.js';

const SHOWN = 6;

/** The account at a glance, and what waits for the seller. */
export function createOverview(clock: Pick<Clock, 'now'>): Page {
  return {
    path: '',
    async get(visit) {
      const { operations, core, account_id } = visit;
      const shops = await listKept(visit);
      const [counts, recent, webhooks, limits, room] = await Promise.all([
        countListings(operations),
        operations.call('listings_list', { limit: SHOWN }),
        findWebhookHealth(operations),
        operations.getLimits(),
        core.quotas.get(account_id),
      ]);
      const needs = await listNeeds(visit, shops, webhooks);
      const changes = await listChangeNeeds(visit, clock.now());
      const given_up = await countOnlyGivenUp(operations, recent);
      return (
        <Dashboard visit={visit} title="Overview" section="Overview">
          <h1>Overview</h1>
          <Needs needs={[...changes.needs, ...needs]} />
          {changes.going.length > 0 && <NeedList title="In progress" needs={changes.going} tone="wait" />}
          <Counts counts={counts} />
          <section class="stack">
            <div class="row between">
              <h2>Last made</h2>
              <a href={`${PREFIX}/listings`}>All listings</a>
            </div>
            {recent.listings.length === 0 && <NoListings given_up={given_up} heading="h3" />}
            <ListingList listings={recent.listings} names={toNames(shops)} now={clock.now()} heading="h3" />
          </section>
          <div class="grid">
            <ShopsCard shops={shops} />
            <WebhooksCard health={webhooks} />
            <LimitsCard limits={limits} />
            <RoomCard {...room} />
          </div>
        </Dashboard>
      );
    },
  };
}

function ShopsCard({ shops }: { shops: readonly ConnectedShop[] }) {
  return (
    <section class="card">
      <div class="row between">
        <h2>Shops</h2>
        <a href={`${PREFIX}/shops`}>{shops.length === 0 ? 'Connect one' : 'All shops'}</a>
      </div>
      {shops.length === 0 && <p class="note">No shop is connected yet.</p>}
      <ul class="lines">
        {shops.map((shop) => (
          <li key={shop.shop_id}>
            <p class="row">
              <a href={toShopPath(shop.shop_id)}>
                <Foreign text={shop.details.shop_name} />
              </a>
              <span class="note">{shop.details.currency_code}</span>
              <ShopBadge shop={shop} />
            </p>
            <p class="note">
              Synced <Time at={shop.last_synced_at} />
            </p>
          </li>
        ))}
      </ul>
    </section>
  );
}

function WebhooksCard({ health }: { health: WebhookHealth }) {
  return (
    <section class="card">
      <div class="row between">
        <h2>
          <a href={`${PREFIX}/webhooks`}>Webhooks</a>
        </h2>
        <Badge tone={health.tone}>{health.word}</Badge>
      </div>
      <p class="note">{health.sentence}</p>
    </section>
  );
}

function LimitsCard({ limits }: { limits: LimitState | undefined }) {
  if (!limits) return null;
  const { limit_day, remaining_day, limit_second } = limits;
  const used = limit_day - remaining_day;
  return (
    <section class="card">
      <h2>Calls left today</h2>
      <p class="number">
        <strong>{NUMBER.format(remaining_day)}</strong>{' '}
        <span class="note">of {NUMBER.format(limit_day)}</span>
      </p>
      <progress aria-label="Calls used today" value={used} max={limit_day} />
      <p class="note">
        Assistants and programs may call {NUMBER.format(limit_second)} times a second. Using these pages does
        not count.
      </p>
    </section>
  );
}

const NUMBER = new Intl.NumberFormat('en');

/** How much of what the account may keep here is used. */
function RoomCard({ used, most }: Awaited<ReturnType<Quotas['get']>>) {
  const lines = [
    { name: 'Saved drafts', part: 'drafts', tell: (value: number) => NUMBER.format(value) },
    { name: 'Text of the drafts', part: 'draft_bytes', tell: describeSize },
    { name: 'Photos, films and files', part: 'upload_bytes', tell: describeSize },
  ] as const;
  return (
    <section class="card">
      <h2>Storage used</h2>
      <ul class="lines">
        {lines.map(({ name, part, tell }) => (
          <li key={part}>
            <p>
              {name}{' '}
              <span class="note">
                {tell(used[part])} of {tell(most[part])}
              </span>
            </p>
            <progress
              aria-label={`${name}: storage used`}
              value={Math.min(used[part], most[part])}
              max={most[part]}
            />
          </li>
        ))}
      </ul>
      <p class="note">
        Files are deleted 30 days after upload, unless a saved listing uses them. Drafts stay until you delete
        or publish them.
      </p>
    </section>
  );
}
