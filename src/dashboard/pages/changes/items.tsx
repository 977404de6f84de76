import type { BatchItem } from '../../../../schemas/batch.js';
import type { FormDifference } from '../../../../schemas/import.js';
import type { Issue } from '../../../../schemas/issue.js';
import type { ConnectedShop } from '../../../core/ports/index.js';
import { renderForSeller, writeText } from '../../../core/issues/render.js';
import { Foreign } from '../../../pages/index.js';
import { Badge } from '../../components/badge.js';
import { FormToken } from '../../components/form_token.js';
import { Photo } from '../../components/photo.js';
import type { Framing } from '../../page.js';
import { toListingPath } from '../../routes.js';
import { listPlaces } from '../../words/places.js';
import { isDrift, toBatchPath, toRow } from './read.js';
import { ROWS_FORM } from './review.js';
import { Differences } from './values.js';
import { toItemWord, toMoney, type Batch } from './words.js';

type Props = { batch: Batch; items: readonly BatchItem[]; connected: readonly ConnectedShop[] };

/** The rows of a plan. Checkboxes leave rows out, or replace edits made on Etsy. */
export function PlanItems({ visit, ...props }: Props & { visit: Framing }) {
  return (
    <form class="stack" id={ROWS_FORM} method="post" action={`${toBatchPath(props.batch.batch_id)}/again`}>
      <FormToken visit={visit} />
      <input type="hidden" name="rows" value="1" />
      <Items {...props} />
      {/* Otherwise the button that starts the plan applies the boxes first. */}
      {props.batch.counts.changed === 0 && (
        <div>
          <button type="submit" class="quiet">
            Update the plan
          </button>
        </div>
      )}
    </form>
  );
}

/** Each listing in each shop: its changes, or why there are none. */
export function Items({ batch, items, connected }: Props) {
  return (
    <ul class="lines">
      {items.map((item) => (
        <li class="listing-item" key={`${item.listing_pk} ${item.shop_id}`}>
          <Photo
            listing={{ listing_pk: item.listing_pk, created_at: batch.created_at }}
            image="first"
            width={160}
            alt=""
          />
          <Item
            item={item}
            batch={batch}
            shop={connected.find(({ shop_id }) => String(shop_id) === item.shop_id)}
          />
        </li>
      ))}
    </ul>
  );
}

function Item({ item, shop, batch }: { item: BatchItem; shop: ConnectedShop | undefined; batch: Batch }) {
  const { listing_pk, title, shop_name, status, cost_usd, overwrites, diff } = item;
  const { tone, word } = toItemWord(status, batch);
  const isOpen = status === 'planned' || status === 'waiting';
  return (
    <div class="stack tight">
      <h3>
        <a href={toListingPath(listing_pk)}>
          <Foreign text={title} />
        </a>
      </h3>
      <p class="row">
        <Badge tone={tone}>{word}</Badge>
        <span class="note">
          <Foreign text={shop_name} />
          {isOpen && cost_usd !== undefined && `, fee ${toMoney(cost_usd)}`}
        </span>
      </p>
      {overwrites && isOpen && <p class="note">Replaces an edit made on Etsy.</p>}
      <Reasons item={item} />
      <Drift item={item} shop={shop} />
      <Differences diff={diff} shop={shop} />
      {batch.status === 'planned' && <Choice item={item} />}
    </div>
  );
}

/** Whether the row can be left out, or its edit on Etsy replaced. */
export function isChoosable(item: BatchItem): boolean {
  return item.status === 'planned' || isDrift(item);
}

function Choice({ item }: { item: BatchItem }) {
  const row = toRow(item);
  const isReplaceable = isDrift(item);
  if (!isChoosable(item)) return null;
  const name = (
    <span class="visually-hidden">
      {' '}
      <Foreign text={`${item.title}, ${item.shop_name}`} />
    </span>
  );
  return isReplaceable ? (
    <label class="choice">
      <input type="checkbox" name="replace" value={row} />
      Replace the edit made on Etsy{name}
    </label>
  ) : (
    <>
      <input type="hidden" name="row" value={row} />
      <label class="choice">
        <input type="checkbox" name="keep" value={row} checked />
        Include{name}
      </label>
    </>
  );
}

/** Why it is left out or failed, with a link to the page where that can be fixed. */
function Reasons({ item: { issues } }: { item: BatchItem }) {
  const found = issues.map(({ field: at, message }): Issue => ({ ...message, at }));
  const lines = new Set(found.map((issue) => writeText(renderForSeller(issue))));
  return (
    <>
      {[...lines].map((line) => (
        <p key={line}>
          <Foreign text={line} />
        </p>
      ))}
      {listPlaces(found).map(({ path, name }) => (
        <p key={path}>
          <a href={path}>
            To <Foreign text={name} />
          </a>
        </p>
      ))}
    </>
  );
}

/** Both values of fields that were edited on Etsy. */
function Drift({ item, shop }: { item: BatchItem; shop: ConnectedShop | undefined }) {
  const drift = isDrift(item) ? (item.details?.['drift'] as FormDifference[] | undefined) : undefined;
  if (!drift || drift.length === 0) return null;
  return (
    <>
      <p class="note">The edit on Etsy:</p>
      <Differences
        diff={drift.map(({ field, ours, theirs }) => ({ field, before: ours, after: theirs }))}
        shop={shop}
      />
    </>
  );
}
