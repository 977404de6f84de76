import type { Clock } from '../../core/ports/index.js';
import { Dashboard } from '../layout.js';
import type { Page } from '../page.js';
import { PREFIX } from '../routes.js';
import { toNames } from '../shop_names.js';
import { findWebhookHealth } from '../webhook_health.js';
import { listChangeNeeds } from './changes/needs.js';
import { FirstSteps, listFirstSteps } from './first_steps.js';
import { countListings, Counts } from './listing_counts.js';
import { countOnlyGivenUp, ListingList, NoListings } from './listings.js';
import { listNeeds, NeedList, Needs } from './needs.js';
import { listKept } from './shops/kept.js';

const SHOWN = 6;

/** The first page: what needs the seller, each with its action; on the first day, how to start. */
export function createToday(clock: Pick<Clock, 'now'>): Page {
  return {
    path: '',
    async get(visit) {
      const { operations } = visit;
      const now = clock.now();
      const shops = await listKept(visit);
      const [counts, recent, webhooks, changes] = await Promise.all([
        countListings(operations),
        operations.call('listings_list', { limit: SHOWN, sort: 'changed' }),
        findWebhookHealth(operations),
        listChangeNeeds(visit, now),
      ]);
      const needs = await listNeeds(visit, shops, webhooks, now);
      const given_up = await countOnlyGivenUp(operations, recent);
      const all = [...changes.needs, ...needs];
      const steps = await listFirstSteps(visit, {
        shops,
        recent: recent.listings,
        hasListings: recent.total + given_up > 0,
      });
      return (
        <Dashboard visit={visit} title="Today" section="Today">
          <div class="row between">
            <h1>Today</h1>
            <a class="button" href={`${PREFIX}/listings/new`}>
              New listing
            </a>
          </div>
          {(all.length > 0 || steps.length === 0) && <Needs needs={all} />}
          <FirstSteps steps={steps} />
          {changes.going.length > 0 && <NeedList title="In progress" needs={changes.going} tone="wait" />}
          <Counts counts={counts} />
          <section class="stack">
            <div class="row between">
              <h2>Last changed</h2>
              <a href={`${PREFIX}/listings`}>All listings</a>
            </div>
            {recent.listings.length === 0 && <NoListings given_up={given_up} heading="h3" />}
            <ListingList listings={recent.listings} names={toNames(shops)} now={now} heading="h3" />
          </section>
        </Dashboard>
      );
    },
  };
}
