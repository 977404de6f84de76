import { FormToken } from '../../components/form_token.js';
import type { OwnVisit } from '../../page.js';
import { toListingPath } from '../../routes.js';
import { isMoving, type Detail } from './detail.js';
import { buildFee } from './fee.js';
import { listSaleShops } from './sale.js';

type Props = { visit: Pick<OwnVisit, 'csrf_token'>; detail: Detail };

/** What can be done with the listing as it stands. */
export function Actions({ visit, detail }: Props) {
  const { status, listing_pk, history } = detail;
  if (isMoving(detail)) return null;
  const can_end = listSaleShops(detail, 'inactive').length > 0;
  const can_return = listSaleShops(detail, 'active').length > 0;
  if (status === 'active' && !can_end && !can_return) return null;
  const href = toListingPath(listing_pk);
  const last_state = history.jobs.at(-1)?.state;
  const isOnTheWay = status === 'draft' || (status === 'incomplete' && last_state === 'publish');
  const isLiveUnfinished = status === 'incomplete' && last_state === 'active';
  return (
    <section class="card actions">
      <h2>What next?</h2>
      {isOnTheWay && (
        <form method="post" action={`${href}/publish`}>
          <FormToken visit={visit} />
          <button type="submit">{status === 'draft' ? 'Publish as drafts' : 'Finish what failed'}</button>
          <p class="note">
            {status === 'draft'
              ? 'Makes a draft in every shop. Free, and not visible to buyers.'
              : 'Does again what failed. What has succeeded is not repeated.'}
          </p>
        </form>
      )}
      {can_return && (
        <div class="stack tight">
          <p>
            <a class="button" href={`${href}/back-on-sale`}>
              Put back on sale…
            </a>
          </p>
          <p class="note">The next page says what it costs in each shop.</p>
        </div>
      )}
      {can_end && (
        <div class="stack tight">
          <p>
            <a class="button quiet" href={`${href}/off-sale`}>
              Take off sale…
            </a>
          </p>
          <p class="note">Free. Buyers do not see it then.</p>
        </div>
      )}
      {status !== 'active' && (
        <div class="stack tight">
          <p>
            <a class={isOnTheWay ? 'button quiet' : 'button'} href={`${href}/put-live`}>
              {isLiveUnfinished ? 'Finish and put live…' : 'Put live…'}
            </a>
          </p>
          <p class="note">{buildFee(detail).sentence} You are asked once more.</p>
        </div>
      )}
      {status === 'draft' && (
        <p>
          <a class="button danger" href={`${href}/delete`}>
            Delete draft…
          </a>
        </p>
      )}
    </section>
  );
}
