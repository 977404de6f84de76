import type { ShopResult } from '../../../../../schemas/job.js';
import { Foreign, Time } from '../../../../pages/index.js';
import { withDone } from '../../../components/done.js';
import { FormToken } from '../../../components/form_token.js';
import { Notice, Refusal } from '../../../components/notice.js';
import { StateBadge } from '../../../components/shop_state.js';
import { RefusedError, toRefusal, type JobAnswer } from '../../../operations.js';
import type { Tasks } from '../../../tasks.js';
import { getListingPk } from '../../../ids.js';
import { Dashboard } from '../../../layout.js';
import type { Framing, OwnPost, OwnVisit, Page } from '../../../page.js';
import { redirect, show } from '../../../replies.js';
import { toListingPath } from '../../../routes.js';
import { renderFactForSeller, writeText } from '../../../../core/issues/render.js';
import { getDetail, isMoving, type Detail } from '../detail.js';
import { agreeTo, type ShownFee } from './publish.js';
import { CHANGE_WAITS } from '../patience.js';
import { Hindered } from '../course/hindered.js';

type Sale = 'inactive' | 'active';
type Shop = Detail['shops'][number];

const WORDS = {
  inactive: {
    path: 'off-sale',
    title: 'Deactivate',
    question: 'Deactivate this listing?',
    yes: 'Deactivate',
  },
  active: {
    path: 'back-on-sale',
    title: 'Activate',
    question: 'Activate this listing?',
    yes: 'Activate',
  },
} as const;

/** Shops in which that can be done, as last seen. */
export function listSaleShops({ shops }: Pick<Detail, 'shops'>, sale: Sale): Shop[] {
  const states: readonly Shop['state'][] =
    sale === 'inactive' ? ['active'] : ['inactive', 'sold_out', 'expired'];
  return shops.filter(({ state, shop_name }) => shop_name !== null && states.includes(state));
}

/** Asks for confirmation, with the cost in each shop; only the sum shown is spent. */
export function createSale(tasks: Tasks, sale: Sale): Page {
  const { path } = WORDS[sale];
  return {
    path: `/listings/{listing_pk}/${path}`,
    is_outward: true,
    async get(visit) {
      const detail = await getDetail(visit, tasks, getListingPk(visit));
      const shops = listSaleShops(detail, sale);
      if (isMoving(detail) || shops.length === 0) return redirect(toListingPath(detail.listing_pk));
      const plan = await foresee(visit, detail, sale, shops).catch(toRefusal);
      if (plan instanceof RefusedError) {
        const title = sale === 'active' ? 'It cannot be activated now' : 'It cannot be deactivated now';
        return <Hindered visit={visit} detail={detail} title={title} refused={plan} />;
      }
      const ticked = shops.map(({ shop_id }) => shop_id);
      return <Ask visit={visit} sale={sale} detail={detail} shops={shops} plan={plan} ticked={ticked} />;
    },
    async post(visit) {
      const detail = await getDetail(visit, tasks, getListingPk(visit));
      const all = listSaleShops(detail, sale);
      if (all.length === 0) return redirect(toListingPath(detail.listing_pk));
      const agreed = readAgreed(visit);
      const chosen = all.filter(({ shop_id }) => agreed.has(shop_id));
      const stock = readStock(visit, chosen);
      const problem = await findProblem(visit, detail, chosen, agreed, stock);
      const other = problem ?? (await start(visit, tasks, detail, sale, chosen, stock, agreed));
      if (other === undefined) {
        const deed = sale === 'active' ? 'activated' : 'deactivated';
        return redirect(withDone(toListingPath(detail.listing_pk), deed));
      }
      const plan = await foresee(visit, detail, sale, all).catch(() => undefined);
      const given = visit.form.fields.get('stock') ?? '';
      const props = { visit, sale, detail, shops: all, plan, ticked: [...agreed.keys()], stock: given };
      return show(<Ask {...props} problem={other} />, { status: 400 });
    },
  };

  /** Why it is not done: nothing is chosen, it would be refused, or its cost differs from the one shown. */
  async function findProblem(
    visit: OwnVisit,
    detail: Detail,
    chosen: readonly Shop[],
    agreed: Agreed,
    stock: number | undefined,
  ): Promise<Problem | undefined> {
    if (agreed.size === 0) return 'none_chosen';
    if (chosen.length < agreed.size) return 'has_changed';
    const plan = await foresee(visit, detail, sale, chosen, stock).catch(toRefusal);
    if (plan instanceof RefusedError) return plan;
    const isAsShown = chosen.every(({ shop_id }) => agreed.get(shop_id) === findCost(plan, shop_id));
    return isAsShown ? undefined : 'has_changed';
  }
}

/** The chosen shops, each with the cost shown next to it: shops that are not chosen cost nothing. */
type Agreed = ReadonlyMap<string, string>;

function readAgreed({ form }: OwnPost): Agreed {
  const chosen = form.fields.getAll('shop').map((text) => text.split(':'));
  return new Map(chosen.map(([shop_id = '', cost = '']) => [shop_id, cost]));
}

/** `0.20`, in USD. */
function findCost({ shops = [] }: JobAnswer, shop_id: string): string {
  return (shops.find((planned) => planned.shop_id === shop_id)?.cost_usd ?? 0).toFixed(2);
}

/**
 * A dry run: effect and cost in these shops now. @param stock by default one of each if it is sold out, to
 * find out the cost
 */
function foresee(
  { operations }: Pick<OwnVisit, 'operations'>,
  { listing_pk }: Detail,
  state: Sale,
  shops: readonly Shop[],
  stock: number | undefined = shops.some(isSoldOut) ? 1 : undefined,
): Promise<JobAnswer> {
  return operations.call('listing_publish', { ...toInput(listing_pk, state, shops, stock), dry_run: true });
}

function toInput(listing_pk: number, state: Sale, shops: readonly Shop[], stock: number | undefined) {
  const ids = shops.map(({ shop_id }) => Number(shop_id));
  return { listing_pk, state, shops: ids, ...(state === 'active' && stock !== undefined && { stock }) };
}

const isSoldOut = ({ state }: Shop) => state === 'sold_out';

/** Only for a sold-out listing; 0, which the operation refuses, if nothing was given. */
function readStock({ form }: OwnPost, chosen: readonly Shop[]): number | undefined {
  if (!chosen.some(isSoldOut)) return undefined;
  const text = form.fields.get('stock') ?? '';
  return /^\d{1,6}$/.test(text) ? Number(text) : 0;
}

function toSum({ cost_usd = 0 }: Pick<JobAnswer, 'cost_usd'>): string {
  return cost_usd.toFixed(2);
}

/** @returns whether the fees differ from the ones shown; in that case, nothing was done */
async function start(
  { operations, core, account_id }: OwnVisit,
  tasks: Tasks,
  { listing_pk }: Detail,
  sale: Sale,
  shops: readonly Shop[],
  stock: number | undefined,
  agreed: Agreed,
): Promise<'has_changed' | undefined> {
  let hasChanged = false;
  const askConsent = agreeTo(toShownFee(agreed), () => {
    hasChanged = true;
  });
  const work = async () => {
    const input = toInput(listing_pk, sale, shops, stock);
    const call = { wait_ms: CHANGE_WAITS.job_ms, askConsent };
    const { job_id } = await operations.call('listing_publish', input, call);
    if (job_id !== undefined) expectDone(await core.listings.listShopResults(account_id, job_id));
  };
  await tasks.run({ account_id, listing_pk }, work, CHANGE_WAITS.patience_ms);
  return hasChanged ? 'has_changed' : undefined;
}

function toShownFee(agreed: Agreed): ShownFee {
  const paid = [...agreed].filter(([, cost]) => Number(cost) > 0);
  const sum = paid.reduce((total, [, cost]) => total + Number(cost), 0);
  return { sum: sum.toFixed(2), shop_ids: paid.map(([shop_id]) => shop_id) };
}

/** Throws RefusedError if a shop refused, which the listing's page shows. */
function expectDone(results: readonly ShopResult[]): void {
  const lines = results.flatMap(({ shop_name = '', error }) =>
    error === undefined ? [] : [`${shop_name}: ${writeText(renderFactForSeller(error))}`],
  );
  if (lines.length === 0) return;
  const hint = 'Check the listing on Etsy, and try again.';
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
  /** Undefined if it is not known. */
  plan: JobAnswer | undefined;
  /** Ids of the shops whose boxes are ticked. */
  ticked: readonly string[];
  /** As typed. */
  stock?: string;
  problem?: Problem;
};

/** `has_changed`: a chosen shop, or its cost, differs from what was shown. */
type Problem = RefusedError | 'none_chosen' | 'has_changed';

function Ask({ visit, sale, detail, shops, plan, ticked, stock = '', problem }: Props) {
  const { title, question, yes } = WORDS[sale];
  const sum = plan ? toSum(plan) : '0.00';
  const isPaid = sale === 'active' && plan?.cost_usd !== undefined && plan.cost_usd > 0;
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
      {problem !== undefined && <Trouble problem={problem} />}
      <form class="card" method="post">
        <FormToken visit={visit} />
        <fieldset>
          <legend>In these shops</legend>
          {shops.map(({ shop_id, shop_name, state, ends_at }) => (
            <p key={shop_id} class="row">
              <label class="choice">
                <input
                  type="checkbox"
                  name="shop"
                  value={`${shop_id}:${plan ? findCost(plan, shop_id) : ''}`}
                  checked={ticked.includes(shop_id)}
                />
                <Foreign text={shop_name ?? `shop ${shop_id}`} />
              </label>
              {state !== null && <StateBadge state={state} />}
              {plan && (
                <span class="note">
                  <Cost cost={findCost(plan, shop_id)} ends_at={sale === 'active' ? ends_at : null} />
                </span>
              )}
            </p>
          ))}
        </fieldset>
        {sale === 'active' && shops.some(isSoldOut) && (
          <label>
            Stock of each variation in sold-out shops
            <input type="number" name="stock" min="1" max="999" value={stock} />
          </label>
        )}
        <p class="note">
          {sale === 'inactive'
            ? 'Free. Buyers no longer see it. Reactivating it is free until it expires.'
            : `${shops.length > 1 ? `$${sum} if all shops are selected. ` : ''}Activating an inactive listing is free until it expires.`}
        </p>
        <div class="row">
          <button type="submit">{isPaid && shops.length === 1 ? `${yes} for $${sum}` : yes}</button>
          <a class="button quiet" href={toListingPath(detail.listing_pk)}>
            Cancel
          </a>
        </div>
      </form>
    </Dashboard>
  );
}

function Trouble({ problem }: { problem: Problem }) {
  if (problem instanceof RefusedError) return <Refusal error={problem.error} />;
  return (
    <Notice tone="bad">
      <p>
        {problem === 'none_chosen'
          ? 'No shop is selected. Select at least one.'
          : 'The fees have changed since this page was opened. Nothing was changed. Check the total again.'}
      </p>
    </Notice>
  );
}

/** @param ends_at when the listing expires, if that limits how long it is free */
function Cost({ cost, ends_at }: { cost: string; ends_at: string | null }) {
  if (cost !== '0.00') return <>${cost}</>;
  return ends_at === null ? (
    <>Free</>
  ) : (
    <>
      Free until <Time at={ends_at} />
    </>
  );
}
