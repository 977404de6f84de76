import { MARKETPLACE_FACTS } from '../../../../schemas/marketplace_facts.js';
import { formatCount } from '../../../core/text/format_count.js';
import { Foreign } from '../../../pages/index.js';
import { Action } from '../../components/action.js';
import { FormToken } from '../../components/form_token.js';
import type { Framing } from '../../page.js';
import { PATH, toBatchPath, type PlanSum } from './read.js';
import { MOST_TICKED } from './selection.js';
import { toMoney, toResult, type Batch } from './words.js';

type Props = { visit: Framing; batch: Batch; sum: PlanSum };

/** The form of the rows of a plan. The button that starts the plan sends their boxes too. */
export const ROWS_FORM = 'plan-rows';

/** Sent with a cancellation that is meant for a plan, not for the changes it may have become. */
const PLAN = { plan: '1' };

/**
 * The question that starts a plan: its changes and cost. Only the sum shown is spent.
 * @param hasRows whether the page has a form of rows
 */
export function Review({ visit, batch, sum, hasRows }: Props & { hasRows: boolean }) {
  const { batch_id, counts, cost_usd } = batch;
  const href = toBatchPath(batch_id);
  const form = hasRows ? ROWS_FORM : 'start';
  if (counts.changed === 0) {
    return (
      <div class="card actions">
        <h2>Nothing would change</h2>
        {sum.unpaid === 0 && (
          <p>
            {counts.refused === 0
              ? 'All listings already have these values.'
              : counts.unchanged === 0
                ? 'Every listing is skipped. The reason is shown with each one.'
                : `Nothing to change: ${toResult(batch)}.`}
          </p>
        )}
        <Unpaid visit={visit} batch={batch} sum={sum} />
        <OtherChoices batch={batch} sum={sum} />
        <Action visit={visit} to={`${href}/cancel`} label="Discard this plan" variant="quiet" fields={PLAN} />
      </div>
    );
  }
  return (
    <div class="card actions">
      <h2>{batch.undoes === undefined ? 'Make these changes?' : 'Undo these changes?'}</h2>
      <p>
        {isCopy(batch)
          ? `Creates ${formatCount(counts.changed, 'draft')} from ${formatCount(sum.listings, 'listing')}. Nothing has been created yet.`
          : `${formatCount(counts.changed, 'change')} to ${formatCount(sum.listings, 'listing')}. ${batch.undoes === undefined ? 'Nothing has changed yet, and you can undo it later.' : 'Nothing has been restored yet.'}`}
        {counts.refused > 0 && ` ${counts.refused} skipped: see the reasons below.`}
      </p>
      {sum.prices.map(({ before, after }) => (
        <p key={before}>
          Prices of {before} become <strong>{after}</strong>.
        </p>
      ))}
      {hasRows ? (
        // Pressing Enter on a checkbox submits the form with its first button.
        <button type="submit" form={form} hidden tabIndex={-1}>
          Update the plan
        </button>
      ) : (
        <form id={form} method="post">
          <FormToken visit={visit} />
        </form>
      )}
      <input form={form} type="hidden" name="sum" value={cost_usd.toFixed(2)} />
      <input form={form} type="hidden" name="shops" value={sum.paid.map(({ shop_id }) => shop_id).join()} />
      {sum.paid.length > 0 && (
        <ul class="lines">
          {sum.paid.map(({ shop_id, shop_name, fees }) => (
            <li key={shop_id}>
              <Foreign text={shop_name} />: {formatCount(fees, 'listing fee')},{' '}
              {toMoney(fees * MARKETPLACE_FACTS.listing_fee_usd)}
            </li>
          ))}
        </ul>
      )}
      <div>
        <button type="submit" form={form} formaction={`${href}/start`}>
          <Foreign text={toButton(batch, sum)} />
        </button>
        <p class="note">{cost_usd > 0 ? 'Each listing fee covers four months.' : 'Free.'}</p>
      </div>
      <Unpaid visit={visit} batch={batch} sum={sum} />
      <OtherChoices batch={batch} sum={sum} />
      <Action visit={visit} to={`${href}/cancel`} label="Discard this plan" variant="quiet" fields={PLAN} />
    </div>
  );
}

/** Offers to undo deactivations for a fee too, where there are any. */
function Unpaid({ visit, batch: { batch_id, on_drift }, sum: { unpaid } }: Props) {
  if (unpaid === 0) return null;
  const fees = toMoney(unpaid * MARKETPLACE_FACTS.listing_fee_usd);
  return (
    <div class="stack tight">
      <p>
        {unpaid === 1 ? '1 listing stays' : `${unpaid} listings stay`} inactive, because Etsy charges {fees}{' '}
        to activate {unpaid === 1 ? 'it' : 'them'} again.
      </p>
      <Action
        visit={visit}
        to={`${toBatchPath(batch_id)}/again`}
        label={`Include ${unpaid === 1 ? 'it' : 'them'} for ${fees}…`}
        variant="quiet"
        fields={{ pay: '1', on_drift }}
      />
    </div>
  );
}

function isCopy({ edits = [] }: Batch): boolean {
  return edits.length > 0 && edits.every(({ field }) => field === 'copy');
}

/** A link from the plan of a copy back to its form, with the choices filled in. */
function OtherChoices({ batch, sum: { listing_pks } }: Pick<Props, 'batch' | 'sum'>) {
  const [target, ...others] = isCopy(batch) ? (batch.edits ?? []).flatMap(({ shops = [] }) => shops) : [];
  if (!target || others.length > 0 || listing_pks.length > MOST_TICKED) return null;
  const { shop_id, ...chosen } = target;
  // A plan of the editor may also have the shop's own values, for which the form has no fields.
  if (Object.values(chosen).some((value) => typeof value === 'object' && value !== null)) return null;
  const query = new URLSearchParams([
    ['do', 'copy'],
    ['op', `to_${String(shop_id)}`],
    ...Object.entries(chosen).map(([name, value]) => [name, value === null ? 'none' : `${Number(value)}`]),
    ...listing_pks.map((listing_pk) => ['listing', `${listing_pk}`]),
  ]);
  return (
    <a class="button quiet" href={`${PATH}/new?${query.toString()}`}>
      Change these choices
    </a>
  );
}

/** `Change 40 listings`, `Publish 2 listings for $0.40`, `Create 2 drafts in NordLinen` */
function toButton(batch: Batch, { listings, shop_names }: PlanSum): string {
  const { edits = [], undoes, cost_usd, counts } = batch;
  if (isCopy(batch)) {
    const [shop_name = '', ...others] = shop_names;
    return `Create ${formatCount(counts.changed, 'draft')}${others.length > 0 ? '' : ` in ${shop_name}`}`;
  }
  const [first] = edits;
  const isSale = edits.length === 1 && first?.field === 'state';
  const verb =
    undoes !== undefined
      ? 'Undo changes to'
      : isSale
        ? first?.op === 'inactive'
          ? 'Deactivate'
          : cost_usd > 0
            ? 'Publish'
            : 'Activate'
        : 'Change';
  return `${verb} ${formatCount(listings, 'listing')}${cost_usd > 0 ? ` for ${toMoney(cost_usd)}` : ''}`;
}

/** Lets the seller keep or replace edits made on Etsy. Switching plans the batch again. */
export function Edits({ visit, batch, sum: { hasDrift, hasOverwrites } }: Props) {
  const again = `${toBatchPath(batch.batch_id)}/again`;
  if (hasOverwrites && batch.on_drift === 'overwrite') {
    return (
      <div class="card actions">
        <h2>Edits made on Etsy will be replaced</h2>
        <p>Some of these fields have been edited on Etsy since this service last updated them.</p>
        <Action
          visit={visit}
          to={again}
          label="Keep the edits made on Etsy"
          variant="quiet"
          fields={{ on_drift: 'refuse' }}
        />
      </div>
    );
  }
  if (!hasDrift) return null;
  return (
    <div class="card actions">
      <h2>Edited on Etsy</h2>
      <p>
        Some of these fields have been edited on Etsy since this service last updated them. Those listings are
        skipped.
      </p>
      <Action
        visit={visit}
        to={again}
        label="Replace the edits made on Etsy"
        variant="quiet"
        fields={{ on_drift: 'overwrite' }}
      />
      <p class="note">Creates a new plan that replaces those edits. You review it before it starts.</p>
    </div>
  );
}
