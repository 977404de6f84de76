import type { Clock, ConnectedShop } from '../../../core/ports/index.js';
import { Foreign } from '../../../pages/index.js';
import { Done, readDone, type DoneDeed } from '../../components/done.js';
import { Live, ReloadWithoutScripts } from '../../components/live.js';
import { Badge } from '../../components/badge.js';
import { PageHead } from '../../components/page_head.js';
import { Notice, Refusal } from '../../components/notice.js';
import { describeListing } from '../../components/shop_state.js';
import type { Tasks } from '../../tasks.js';
import { getListingPk } from '../../ids.js';
import { Dashboard } from '../../layout.js';
import type { Framing, OwnVisit, Page } from '../../page.js';
import { PREFIX, toListingPath } from '../../routes.js';
import { toNames, type NamesById } from '../../shop_names.js';
import { listKept } from '../shops/kept.js';
import { Actions } from './actions.js';
import { listAttributes, type Attributes } from './product/attributes.js';
import { getDetail, isMoving, type Detail } from './detail.js';
import { describeRemaining, RemainingListings, listRemaining } from './give_up.js';
import type { Currencies } from './product/price_words.js';
import { Product } from './product/product.js';
import { listFailures } from './course/failures.js';
import { listOutcomes, type Outcomes } from './course/outcomes.js';
import { Progress, toSentence } from './course/progress.js';
import { Shops } from './shops.js';
import { Timeline } from './course/timeline.js';

/** The page at dashboard_url: what the assistant made, and the available actions. */
export function createListing(tasks: Tasks, clock: Pick<Clock, 'now'>): Page {
  return {
    path: '/listings/{listing_pk}',
    async get(visit) {
      const detail = await getDetail(visit, tasks, getListingPk(visit));
      const connected = await listKept(visit);
      const names = toNames(connected);
      const attributes = await listAttributes(visit.operations, detail.request);
      const outcomes = await listOutcomes(visit, detail);
      const now = clock.now();
      return (
        <Listing
          visit={visit}
          detail={detail}
          connected={connected}
          names={names}
          attributes={attributes}
          outcomes={outcomes}
          now={now}
          done={findDone(visit, detail)}
        />
      );
    },
  };
}

/** States first how many shops have it: "Unfinished" could mean one shop of five, or none. */
function describeStanding({ status, results, request }: Detail, sentence: string): string {
  if (status !== 'incomplete') return sentence;
  const succeeded = results.filter((result) => result.status === 'ok').length;
  const all = request.shops.length;
  return `Done in ${succeeded} of ${all} ${all === 1 ? 'shop' : 'shops'}. ${sentence}`;
}

/** Only if at least one shop shows it: a change may fail after the redirect. */
function findDone(visit: OwnVisit, { shops, task }: Detail): DoneDeed | undefined {
  const done = readDone(visit);
  if (done !== 'activated' && done !== 'deactivated') return undefined;
  const state = done === 'activated' ? 'active' : 'inactive';
  return task?.status !== 'refused' && shops.some((shop) => shop.state === state) ? done : undefined;
}

type Props = {
  visit: Framing;
  detail: Detail;
  connected: readonly ConnectedShop[];
  names: NamesById;
  attributes: Attributes;
  outcomes: Outcomes;
  now: Date;
  done: DoneDeed | undefined;
};

function Listing({ visit, detail, connected, names, attributes, outcomes, now, done }: Props) {
  const { listing_pk, title, request, task } = detail;
  const { tone, word, sentence } = describeListing(detail, now);
  const isChanging = isMoving(detail);
  const currencies = listCurrencies(detail);
  return (
    <Dashboard
      visit={visit}
      title={title}
      section="Listings"
      scripts={isChanging ? ['live'] : []}
      head={isChanging && <ReloadWithoutScripts />}
    >
      <PageHead
        up={{ href: `${PREFIX}/listings`, name: 'Listings' }}
        title={title}
        badge={<Badge tone={tone}>{word}</Badge>}
        note={describeStanding(detail, sentence)}
      >
        {!isChanging && (
          <p>
            <a href={`${toListingPath(listing_pk)}/edit`}>Edit this listing</a>
          </p>
        )}
      </PageHead>
      <Done deed={isChanging ? undefined : done} />
      {task?.status === 'refused' && <Refusal error={task.error} />}
      {detail.status === 'given_up' && <GivenUp detail={detail} />}
      {listFailures(detail, outcomes).map((failure) => (
        <Notice tone="bad" key={failure}>
          <p>
            <Foreign text={failure} />
          </p>
        </Notice>
      ))}
      <div class="columns">
        <aside class="stack" aria-label="State and actions">
          {isChanging && (
            <div class="card">
              <h2>In progress</h2>
              <Live href={`${toListingPath(listing_pk)}/events`} sentence={toSentence(detail)}>
                <Progress detail={detail} />
              </Live>
            </div>
          )}
          <Actions visit={visit} detail={detail} connected={connected} />
          <Shops {...{ visit, detail, connected, names, currencies, now }} />
        </aside>
        <Product saved={detail} request={request} currencies={currencies} attributes={attributes} />
      </div>
      <Timeline detail={detail} outcomes={outcomes} />
    </Dashboard>
  );
}

function GivenUp({ detail }: { detail: Detail }) {
  const left = listRemaining(detail);
  return (
    <Notice tone="idle">
      <p>You abandoned it; it can still be finished.</p>
      {left.length > 0 && <p>{describeRemaining(left)}</p>}
      {left.length > 0 && <RemainingListings left={left} />}
    </Notice>
  );
}

/** The currency of a shop that is no longer connected was stored when the listing was published there. */
function listCurrencies({ shops, results }: Detail): Currencies {
  return new Map(
    shops.map(({ shop_id, currency_code }) => {
      const result = results.find((known) => known.shop_id === shop_id);
      return [shop_id, currency_code ?? result?.currency_code];
    }),
  );
}
