import { Foreign } from '../../../pages/index.js';
import { FormToken } from '../../components/form_token.js';
import { Notice } from '../../components/notice.js';
import type { Errands } from '../../errands.js';
import { getListingPk } from '../../ids.js';
import { Dashboard } from '../../layout.js';
import type { OwnVisit, Page } from '../../page.js';
import { redirect, show } from '../../replies.js';
import { toListingPath } from '../../routes.js';
import { listShopNames, type NamesById } from '../../shop_names.js';
import { getDetail, isMoving, type Detail } from './detail.js';
import { buildFee } from './fee.js';
import { publish } from './publish.js';

/** Money is spent only by the button of this page, and only the sum that it showed. */
export function createPutLive(errands: Errands): Page {
  return {
    path: '/listings/{listing_pk}/put-live',
    async get(visit) {
      const detail = await getDetail(visit, errands, getListingPk(visit));
      if (isMoving(detail) || detail.status === 'active') return redirect(toListingPath(detail.listing_pk));
      return <PutLive visit={visit} detail={detail} names={await listShopNames(visit.desk)} />;
    },
    async post(visit) {
      const detail = await getDetail(visit, errands, getListingPk(visit));
      if (visit.form.fields.get('sum') === buildFee(detail).sum) return publish(visit, errands, 'active');
      const names = await listShopNames(visit.desk);
      return show(<PutLive visit={visit} detail={detail} names={names} has_changed />, { status: 400 });
    },
  };
}

type Props = {
  visit: Pick<OwnVisit, 'csrf_token'>;
  detail: Detail;
  names: NamesById;
  /** The sum that was agreed to is not the sum any more. */
  has_changed?: boolean;
};

function PutLive({ visit, detail, names, has_changed = false }: Props) {
  const { sum, each, shop_ids } = buildFee(detail);
  return (
    <Dashboard visit={visit} title={`Put live: ${detail.title}`} section="Listings" width="narrow">
      <div class="stack tight">
        <p class="crumbs">
          <a href={toListingPath(detail.listing_pk)}>
            <Foreign text={detail.title} />
          </a>
        </p>
        <h1>Put this listing live?</h1>
      </div>
      {has_changed && (
        <Notice tone="bad">
          <p>Something has changed since you were asked. Nothing was done; look at the sum once more.</p>
        </Notice>
      )}
      <form class="card" method="post">
        <FormToken visit={visit} />
        <input type="hidden" name="sum" value={sum} />
        <p>Buyers will see it in:</p>
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
                <td class="number-cell">{shop_ids.includes(shop_id) ? `${each} USD` : 'live already'}</td>
              </tr>
            ))}
          </tbody>
          <tfoot>
            <tr>
              <th scope="row">Together</th>
              <td class="number-cell">
                <strong>{sum} USD</strong>
              </td>
            </tr>
          </tfoot>
        </table>
        <p class="note">
          The marketplace charges this fee for four months. It is not paid for a shop where something is
          missing.
        </p>
        <div class="row">
          <button type="submit">Put live for {sum} USD</button>
          <a class="button quiet" href={toListingPath(detail.listing_pk)}>
            Not now
          </a>
        </div>
      </form>
    </Dashboard>
  );
}
