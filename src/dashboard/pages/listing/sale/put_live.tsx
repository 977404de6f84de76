import type { Clock } from '../../../../core/ports/index.js';
import { Foreign } from '../../../../pages/index.js';
import { FormToken } from '../../../components/form_token.js';
import { Notice } from '../../../components/notice.js';
import { RefusedError } from '../../../operations.js';
import type { Tasks } from '../../../tasks.js';
import { getListingPk } from '../../../ids.js';
import { Dashboard } from '../../../layout.js';
import type { Framing, OwnVisit, Page } from '../../../page.js';
import { redirect, show } from '../../../replies.js';
import { toListingPath } from '../../../routes.js';
import { toNames, type NamesById } from '../../../shop_names.js';
import { listKept } from '../../shops/kept.js';
import { getDetail, isMoving, type Detail } from '../detail.js';
import { buildFee } from './fee.js';
import { Hindered } from '../course/hindered.js';
import { listLiveObstacles } from '../course/obstacles.js';
import { publish } from './publish.js';

/** Checking may have to download files; a person waits this long for its problems before the page asks for consent. */
const CHECK_MS = 3_000;

/** Money is spent only by the button of this page, and only the sum that it showed. Problems are shown before it asks. */
export function createPutLive(tasks: Tasks, clock: Pick<Clock, 'sleep'>): Page {
  return {
    path: '/listings/{listing_pk}/put-live',
    async get(visit) {
      const detail = await getDetail(visit, tasks, getListingPk(visit));
      if (isMoving(detail) || detail.status === 'active') return redirect(toListingPath(detail.listing_pk));
      return ask(visit, detail);
    },
    async post(visit) {
      const detail = await getDetail(visit, tasks, getListingPk(visit));
      const obstacles = listLiveObstacles(detail, await listKept(visit));
      const is_agreed = visit.form.fields.get('sum') === buildFee(detail).sum;
      if (is_agreed && obstacles.length === 0) return publish(visit, tasks, 'active');
      return show(await ask(visit, detail, { has_changed: !is_agreed }), { status: 400 });
    },
  };

  async function ask(visit: OwnVisit, detail: Detail, { has_changed = false } = {}) {
    const connected = await listKept(visit);
    const obstacles = listLiveObstacles(detail, connected);
    const refused = obstacles.length === 0 ? await findRefusal(visit, detail) : undefined;
    if (obstacles.length > 0 || refused) {
      const title = 'It cannot be put live yet';
      return <Hindered visit={visit} detail={detail} title={title} obstacles={obstacles} refused={refused} />;
    }
    const names = toNames(connected);
    return <PutLive visit={visit} detail={detail} names={names} has_changed={has_changed} />;
  }

  /** Why it would be refused, where that is known soon. */
  async function findRefusal(
    { operations }: OwnVisit,
    { listing_pk }: Detail,
  ): Promise<RefusedError | undefined> {
    const checked = operations.call('listing_publish', { listing_pk, state: 'active', dry_run: true });
    const refused = checked.then(
      () => undefined,
      (cause: unknown) => (cause instanceof RefusedError ? cause : undefined),
    );
    const patience = new AbortController();
    const slept = clock.sleep(CHECK_MS, patience.signal).catch(() => undefined);
    const first = await Promise.race([refused, slept]);
    patience.abort();
    return first ?? undefined;
  }
}

type Props = {
  visit: Framing;
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
