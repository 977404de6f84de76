import type { Clock } from '../../../../core/ports/index.js';
import { within } from '../../../../core/async/within.js';
import { Foreign, type PageForm } from '../../../../pages/index.js';
import { FormToken } from '../../../components/form_token.js';
import { Notice } from '../../../components/notice.js';
import { STATE_WORDS } from '../../../components/shop_state.js';
import { RefusedError, toRefusal } from '../../../operations.js';
import type { Tasks } from '../../../tasks.js';
import { getListingPk } from '../../../ids.js';
import { Dashboard } from '../../../layout.js';
import type { Framing, OwnVisit, Page } from '../../../page.js';
import { redirect, show } from '../../../replies.js';
import { toListingPath } from '../../../routes.js';
import { toNames, type NamesById } from '../../../shop_names.js';
import { listKept } from '../../shops/kept.js';
import { getDetail, isMoving, type Detail } from '../detail.js';
import { foreseeFee, readFee, toFee, type Fee } from './fee.js';
import { Hindered } from '../course/hindered.js';
import { listLiveObstacles, type Obstacle } from '../course/obstacles.js';
import { publish } from './publish.js';

/** Checking may have to download files; the page waits this long for problems before it asks for consent. */
const CHECK_MS = 3_000;

/**
 * Only the button of this page spends money, and only the sum that the page showed. Problems are shown before
 * it asks.
 */
export function createPutLive(tasks: Tasks, clock: Pick<Clock, 'sleep'>): Page {
  return {
    path: '/listings/{listing_pk}/put-live',
    is_outward: true,
    async get(visit) {
      const detail = await getDetail(visit, tasks, getListingPk(visit));
      const href = toListingPath(detail.listing_pk);
      if (isMoving(detail) || detail.status === 'active') return redirect(href);
      const found = await check(visit, detail);
      return found === 'nothing' ? redirect(href) : ask(visit, detail, found);
    },
    async post(visit) {
      const detail = await getDetail(visit, tasks, getListingPk(visit));
      const found = await check(visit, detail);
      if (found === 'nothing') return redirect(toListingPath(detail.listing_pk));
      if (!('fee' in found) || !isShown(visit.form, detail, found.fee)) return askAgain(visit, detail, found);
      const other = await publish(visit, tasks, 'active', found.fee);
      if (other) return askAgain(visit, detail, { ...found, fee: toFee(other) });
      return redirect(toListingPath(detail.listing_pk));
    },
  };

  /** `nothing`: it would change nothing in any shop. */
  async function check(visit: OwnVisit, detail: Detail): Promise<Checked | 'nothing'> {
    const connected = await listKept(visit);
    const obstacles = listLiveObstacles(detail, connected);
    if (obstacles.length > 0) return { obstacles };
    const planned = await plan(visit, detail);
    if (planned instanceof RefusedError) return { obstacles, refused: planned };
    if (planned?.status === 'unchanged') return 'nothing';
    return { fee: planned ? readFee(planned) : foreseeFee(detail), names: toNames(connected) };
  }

  /** A dry run: its cost and shops, or why it would be refused; undefined if that is not known soon. */
  async function plan({ operations }: OwnVisit, { listing_pk }: Detail) {
    return within(clock, CHECK_MS, () =>
      operations.call('listing_publish', { listing_pk, state: 'active', dry_run: true }).catch(toRefusal),
    );
  }
}

/** Whether the page has shown this version of the listing, and these fees for these shops. */
function isShown({ fields }: PageForm, { updated_at }: Detail, { sum, shop_ids }: Fee): boolean {
  const isSame = fields.get('sum') === sum && fields.get('shops') === shop_ids.join();
  return isSame && (fields.get('as_of') ?? updated_at) === updated_at;
}

function askAgain(visit: Framing, detail: Detail, found: Checked) {
  return show(ask(visit, detail, found, { has_changed: true }), { status: 400 });
}

/** Why it cannot be activated, or what that costs. */
type Checked = { obstacles: readonly Obstacle[]; refused?: RefusedError } | { fee: Fee; names: NamesById };

function ask(visit: Framing, detail: Detail, found: Checked, { has_changed = false } = {}) {
  if ('fee' in found) return <PutLive visit={visit} detail={detail} {...found} has_changed={has_changed} />;
  return <Hindered visit={visit} detail={detail} title="It cannot be published yet" {...found} />;
}

type Props = {
  visit: Framing;
  detail: Detail;
  fee: Fee;
  names: NamesById;
  /** The agreed sum is no longer correct. */
  has_changed?: boolean;
};

function PutLive({ visit, detail, fee, names, has_changed = false }: Props) {
  const { sum, each, shop_ids } = fee;
  const isEverywhere = detail.shop_ids.every((shop_id) => shop_ids.includes(shop_id));
  return (
    <Dashboard visit={visit} title={`Publish: ${detail.title}`} section="Listings" width="narrow">
      <div class="stack tight">
        <p class="crumbs">
          <a href={toListingPath(detail.listing_pk)}>
            <Foreign text={detail.title} />
          </a>
        </p>
        <h1>Publish this listing?</h1>
      </div>
      {has_changed && (
        <Notice tone="bad">
          <p>
            The fees or the listing have changed since this page was opened. Nothing was published. Check the
            total again.
          </p>
        </Notice>
      )}
      <form class="card" method="post">
        <FormToken visit={visit} />
        <input type="hidden" name="sum" value={sum} />
        <input type="hidden" name="shops" value={shop_ids.join()} />
        <input type="hidden" name="as_of" value={detail.updated_at} />
        <p>
          {isEverywhere
            ? 'Buyers will see it in:'
            : 'Buyers will see it in the shops with a fee. It stays unchanged in the other shops.'}
        </p>
        <table>
          <thead>
            <tr>
              <th scope="col">Shop</th>
              <th scope="col" class="number-cell">
                Fee
              </th>
            </tr>
          </thead>
          <tbody>
            {detail.shop_ids.map((shop_id) => (
              <tr key={shop_id}>
                <th scope="row">
                  <Foreign text={names.get(shop_id)?.shop_name ?? `shop ${shop_id}`} />
                </th>
                <td class="number-cell">
                  {shop_ids.includes(shop_id) ? `$${each}` : describeOther(detail, shop_id)}
                </td>
              </tr>
            ))}
          </tbody>
          <tfoot>
            <tr>
              <th scope="row">Total</th>
              <td class="number-cell">
                <strong>${sum}</strong>
              </td>
            </tr>
          </tfoot>
        </table>
        <p class="note">The fee covers four months. Etsy charges nothing in shops where publishing fails.</p>
        <div class="row">
          <button type="submit">{shop_ids.length === 0 ? 'Finish for free' : `Publish for $${sum}`}</button>
          <a class="button quiet" href={toListingPath(detail.listing_pk)}>
            Cancel
          </a>
        </div>
      </form>
    </Dashboard>
  );
}

/** Replaces a fee. */
function describeOther({ shops }: Detail, shop_id: string): string {
  const state = shops.find((shop) => shop.shop_id === shop_id)?.state ?? null;
  if (state === null) return 'fee paid';
  return state === 'active' ? 'already active' : STATE_WORDS[state].word.toLowerCase();
}
