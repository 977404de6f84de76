import type { ListingJobResult } from '../../../../../schemas/job.js';
import { Foreign } from '../../../../pages/index.js';
import { FormToken } from '../../../components/form_token.js';
import { Notice, Refusal } from '../../../components/notice.js';
import { StateBadge } from '../../../components/shop_state.js';
import { RefusedError, toRefusal } from '../../../operations.js';
import type { Tasks } from '../../../tasks.js';
import { getListingPk } from '../../../ids.js';
import { Dashboard } from '../../../layout.js';
import type { Framing, OwnPost, OwnVisit, Page } from '../../../page.js';
import { redirect, show } from '../../../replies.js';
import { toListingPath } from '../../../routes.js';
import { getDetail, isMoving, type Detail } from '../detail.js';
import { CHANGE_WAITS } from '../patience.js';
import { Hindered } from '../course/hindered.js';

type Sale = 'inactive' | 'active';
type Shop = Detail['shops'][number];

const WORDS = {
  inactive: {
    path: 'off-sale',
    title: 'Take off sale',
    question: 'Take this listing off sale?',
    yes: 'Take off sale',
  },
  active: {
    path: 'back-on-sale',
    title: 'Put back on sale',
    question: 'Put this listing back on sale?',
    yes: 'Put back on sale',
  },
} as const;

/** Shops where that can be done, as they were last seen. */
export function listSaleShops({ shops }: Pick<Detail, 'shops'>, sale: Sale): Shop[] {
  const states: readonly Shop['state'][] =
    sale === 'inactive' ? ['active'] : ['inactive', 'sold_out', 'expired'];
  return shops.filter(({ state, shop_name }) => shop_name !== null && states.includes(state));
}

/** Asks once more, with what each shop costs; only the sum that was shown is spent. */
export function createSale(tasks: Tasks, sale: Sale): Page {
  const { path } = WORDS[sale];
  return {
    path: `/listings/{listing_pk}/${path}`,
    async get(visit) {
      const detail = await getDetail(visit, tasks, getListingPk(visit));
      const shops = listSaleShops(detail, sale);
      if (isMoving(detail) || shops.length === 0) return redirect(toListingPath(detail.listing_pk));
      const plan = await foresee(visit, detail, sale, shops).catch(toRefusal);
      if (plan instanceof RefusedError) {
        const title = sale === 'active' ? 'It cannot be put back now' : 'It cannot be taken off sale now';
        return <Hindered visit={visit} detail={detail} title={title} refused={plan} />;
      }
      return <Ask visit={visit} sale={sale} detail={detail} shops={shops} plan={plan} />;
    },
    async post(visit) {
      const detail = await getDetail(visit, tasks, getListingPk(visit));
      const named = new Set(visit.form.fields.getAll('shop_id'));
      const shops = listSaleShops(detail, sale).filter(({ shop_id }) => named.has(shop_id));
      if (shops.length === 0) return redirect(toListingPath(detail.listing_pk));
      const stock = readStock(visit);
      try {
        const plan = await foresee(visit, detail, sale, shops, stock);
        if (visit.form.fields.get('sum') === toSum(plan))
          return await start(visit, tasks, detail, sale, shops, stock);
        return show(<Ask visit={visit} sale={sale} detail={detail} shops={shops} plan={plan} has_changed />, {
          status: 400,
        });
      } catch (cause) {
        const refused = toRefusal(cause);
        const plan = await foresee(visit, detail, sale, shops).catch(() => undefined);
        return show(
          <Ask visit={visit} sale={sale} detail={detail} shops={shops} plan={plan} refused={refused} />,
          { status: 400 },
        );
      }
    },
  };
}

/** A dry run: effect and cost in these shops now. A sold-out listing is asked for with a stock of one, until the seller gives one. */
function foresee(
  { operations }: Pick<OwnVisit, 'operations'>,
  { listing_pk }: Detail,
  state: Sale,
  shops: readonly Shop[],
  stock = shops.some((shop) => shop.state === 'sold_out') ? 1 : undefined,
): Promise<ListingJobResult> {
  return operations.call('listing_publish', { ...toInput(listing_pk, state, shops, stock), dry_run: true });
}

function toInput(listing_pk: number, state: Sale, shops: readonly Shop[], stock: number | undefined) {
  const ids = shops.map(({ shop_id }) => Number(shop_id));
  return { listing_pk, state, shops: ids, ...(state === 'active' && stock !== undefined && { stock }) };
}

function readStock({ form }: OwnPost): number | undefined {
  const text = form.fields.get('stock') ?? '';
  return /^\d{1,6}$/.test(text) ? Number(text) : undefined;
}

function toSum({ cost_usd = 0 }: Pick<ListingJobResult, 'cost_usd'>): string {
  return cost_usd.toFixed(2);
}

async function start(
  { operations, account_id }: OwnVisit,
  tasks: Tasks,
  { listing_pk }: Detail,
  sale: Sale,
  shops: readonly Shop[],
  stock: number | undefined,
) {
  const work = async () => {
    const input = toInput(listing_pk, sale, shops, stock);
    const call = { wait_ms: CHANGE_WAITS.job_ms, askConsent: async () => 'accepted' as const };
    expectDone(await operations.call('listing_publish', input, call));
  };
  await tasks.run({ account_id, listing_pk }, work, CHANGE_WAITS.patience_ms);
  return redirect(toListingPath(listing_pk));
}

/** Throws RefusedError where a shop refused, which the listing's page shows. */
function expectDone({ results = [] }: ListingJobResult): void {
  const lines = results.flatMap(({ shop_name = '', error }) =>
    error === undefined ? [] : [`${shop_name}: ${error}`],
  );
  if (lines.length === 0) return;
  const hint = 'Look at what the shop has now, and try again.';
  throw new RefusedError({
    error: {
      code: 'MARKETPLACE_ERROR',
      status: 500,
      message: lines.join('\n'),
      hint,
      docs: '/docs#MARKETPLACE_ERROR',
    },
  });
}

type Props = {
  visit: Framing;
  sale: Sale;
  detail: Detail;
  shops: readonly Shop[];
  /** Undefined where it is not known. */
  plan: ListingJobResult | undefined;
  refused?: RefusedError;
  /** The sum that was agreed to is not the sum any more. */
  has_changed?: boolean;
};

function Ask({ visit, sale, detail, shops, plan, refused, has_changed = false }: Props) {
  const { title, question, yes } = WORDS[sale];
  const sum = plan ? toSum(plan) : '0.00';
  const find = (shop_id: string) => plan?.shops?.find((planned) => planned.shop_id === shop_id);
  return (
    <Dashboard visit={visit} title={`${title}: ${detail.title}`} section="Listings" width="narrow">
      <div class="stack tight">
        <p class="crumbs">
          <a href={toListingPath(detail.listing_pk)}>
            <Foreign text={detail.title} />
          </a>
        </p>
        <h1>{question}</h1>
      </div>
      {refused && <Refusal error={refused.error} />}
      {has_changed && (
        <Notice tone="bad">
          <p>Something has changed since you were asked. Nothing was done; look at the sum once more.</p>
        </Notice>
      )}
      <form class="card" method="post">
        <FormToken visit={visit} />
        <input type="hidden" name="sum" value={sum} />
        <fieldset>
          <legend>In these shops</legend>
          {shops.map(({ shop_id, shop_name, state }) => (
            <p key={shop_id} class="row">
              <label>
                <input type="checkbox" name="shop_id" value={shop_id} checked />{' '}
                <Foreign text={shop_name ?? `shop ${shop_id}`} />
              </label>
              {state !== null && <StateBadge state={state} />}
              <span class="note">{describeCost(find(shop_id)?.cost_usd)}</span>
            </p>
          ))}
        </fieldset>
        {sale === 'active' && shops.some(({ state }) => state === 'sold_out') && (
          <label>
            How many of each are there to sell?
            <input type="number" name="stock" min="1" max="999" required />
          </label>
        )}
        <p class="note">
          {sale === 'inactive'
            ? 'Free. Buyers do not see it any more; putting it back is free while its four months run.'
            : `Together ${sum} USD. What was taken off sale comes back free while its four months run.`}
        </p>
        <div class="row">
          <button type="submit">{plan?.cost_usd ? `${yes} for ${sum} USD` : yes}</button>
          <a class="button quiet" href={toListingPath(detail.listing_pk)}>
            Not now
          </a>
        </div>
      </form>
    </Dashboard>
  );
}

function describeCost(cost_usd: number | undefined): string {
  if (cost_usd === undefined) return '';
  return cost_usd === 0 ? 'free' : `${cost_usd.toFixed(2)} USD`;
}
