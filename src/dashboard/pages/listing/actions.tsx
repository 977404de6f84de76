import type { ComponentChildren } from 'preact';
import type { ConnectedShop } from '../../../core/ports/index.js';
import { FormToken } from '../../components/form_token.js';
import type { Framing } from '../../page.js';
import { PREFIX, toListingPath } from '../../routes.js';
import { isMoving, type Detail } from './detail.js';
import { describeFee, foreseeFee } from './sale/fee.js';
import { listLiveObstacles, listShopObstacles, Obstacles, type Obstacle } from './course/obstacles.js';
import { listLost, Remake } from './remake.js';
import { listSaleShops } from './sale/sale.js';

type Props = { visit: Framing; detail: Detail; connected: readonly ConnectedShop[] };

/** The actions that the listing's state allows. */
export function Actions({ visit, detail, connected }: Props) {
  const { status, listing_pk, history } = detail;
  if (isMoving(detail)) return null;
  const canEnd = listSaleShops(detail, 'inactive').length > 0;
  const canReturn = listSaleShops(detail, 'active').length > 0;
  const canCopy =
    detail.shops.some(({ listing_id }) => listing_id !== null) &&
    connected.some(({ shop_id }) => !detail.shop_ids.includes(String(shop_id)));
  const isLost = listLost(detail).length > 0;
  if (status === 'active' && !canEnd && !canReturn && !canForget(detail) && !isLost && !canCopy) return null;
  const href = toListingPath(listing_pk);
  const last_state = history.jobs.findLast(({ kind }) => kind === 'publish')?.state;
  const isUnfinished = status === 'incomplete' || status === 'given_up';
  const isOnTheWay = status === 'draft' || (isUnfinished && last_state !== 'active');
  const isLiveUnfinished = isUnfinished && last_state === 'active';
  const fee = foreseeFee(detail);
  return (
    <section class="card actions">
      <h2>What next?</h2>
      {isOnTheWay && (
        <Way
          obstacles={listShopObstacles(detail, connected)}
          label={status === 'draft' ? 'Save as draft on Etsy' : 'Finish what failed'}
          note={
            status === 'draft'
              ? 'Creates a draft in every shop. Free, and not visible to buyers.'
              : 'Retries only the steps that failed.'
          }
        >
          <form method="post" action={`${href}/publish`}>
            <FormToken visit={visit} />
            <button type="submit">
              {status === 'draft' ? 'Save as draft on Etsy' : 'Finish what failed'}
            </button>
          </form>
        </Way>
      )}
      {canReturn && (
        <Way note="The next page shows the fee, if there is one." label="Activate…">
          <a class="button" href={`${href}/back-on-sale`}>
            Activate…
          </a>
        </Way>
      )}
      <Remake visit={visit} detail={detail} />
      {canCopy && (
        <Way note="Free. Creates a draft in the other shop." label="Copy to another shop…">
          <a class="button quiet" href={`${PREFIX}/changes/new?do=copy&listing=${listing_pk}`}>
            Copy to another shop…
          </a>
        </Way>
      )}
      {canEnd && (
        <Way note="Free. Buyers no longer see it." label="Deactivate…">
          <a class="button quiet" href={`${href}/off-sale`}>
            Deactivate…
          </a>
        </Way>
      )}
      {status !== 'active' && (isLiveUnfinished || fee.shop_ids.length > 0) && (
        <Way
          obstacles={listLiveObstacles(detail, connected)}
          label={isLiveUnfinished ? 'Finish and publish…' : 'Publish…'}
          note={`${describeFee(fee)} The next page asks before anything is paid.`}
        >
          <a class={isOnTheWay ? 'button quiet' : 'button'} href={`${href}/put-live`}>
            {isLiveUnfinished ? 'Finish and publish…' : 'Publish…'}
          </a>
        </Way>
      )}
      <Ends detail={detail} />
    </section>
  );
}

type WayProps = { obstacles?: readonly Obstacle[]; label: string; note: string; children: ComponentChildren };

/**
 * One action; if problems prevent it, the button does nothing, and the reason is shown next to it. The button
 * stays focusable, since a screen reader reads the reason with it.
 */
function Way({ obstacles = [], label, note, children }: WayProps) {
  if (obstacles.length === 0) {
    return (
      <div class="stack tight">
        {children}
        <p class="note">{note}</p>
      </div>
    );
  }
  const id = `why-not-${label.replace(/\W+/g, '-').toLowerCase()}`;
  return (
    <div class="stack tight">
      <button type="button" class="quiet" aria-disabled="true" aria-describedby={id}>
        {label}
      </button>
      <Obstacles obstacles={obstacles} id={id} />
    </div>
  );
}

/** Ways to remove the listing. */
function Ends({ detail }: { detail: Detail }) {
  const { status, listing_pk } = detail;
  const href = toListingPath(listing_pk);
  return (
    <>
      {canGiveUp(detail) && (
        <Way note="Removes it from your lists. Nothing changes in the shops." label="Abandon…">
          <a class="button quiet" href={`${href}/give-up`}>
            Abandon…
          </a>
        </Way>
      )}
      {canForget(detail) &&
        (status === 'draft' ? (
          <p>
            <a class="button danger" href={`${href}/delete`}>
              Delete draft…
            </a>
          </p>
        ) : (
          <Way note="Nothing changes on Etsy." label="Remove from this app…">
            <a class="button danger" href={`${href}/delete`}>
              Remove from this app…
            </a>
          </Way>
        ))}
    </>
  );
}

type Standing = Pick<Detail, 'status' | 'shops' | 'job_id'>;

/** A listing that failed and is active nowhere can be given up. */
export function canGiveUp({ status, shops }: Pick<Standing, 'status' | 'shops'>): boolean {
  return status === 'incomplete' && shops.every(({ state }) => state !== 'active');
}

/**
 * Whether the operation listing_delete accepts the listing: either no job has published it (a draft or an
 * imported listing), or it is no longer anywhere on the marketplace.
 */
export function canForget({ status, shops, job_id }: Standing): boolean {
  if (status === 'processing') return false;
  if (job_id === null) return true;
  return shops.every(
    ({ listing_id, state }) => listing_id === null || state === 'removed' || state === 'gone',
  );
}
