import type { ConnectedShop } from '../../../../../core/ports/index.js';
import type { JobAnswer } from '../../../../operations.js';
import { Foreign } from '../../../../../pages/index.js';
import { formatCount } from '../../../../../core/text/format_count.js';
import { toFileName } from '../../../../components/file_address.js';
import { FormToken } from '../../../../components/form_token.js';
import { Notice } from '../../../../components/notice.js';
import { formatPrice } from '../../../../components/price.js';
import { Table } from '../../../../components/table.js';
import { listShown } from '../../../../components/warnings.js';
import { Dashboard } from '../../../../layout.js';
import type { Framing } from '../../../../page.js';
import { toMoney } from '../../../changes/words.js';
import { readFee } from '../../sale/fee.js';
import type { ListingRequest } from '../../../../../../schemas/listing_request.js';
import { VariationsTable } from '../../product/product.js';
import { ReviewPhotos, ReviewWords, ShopFacts } from './facts.js';
import { readPhotos, readRows, readTrimmed, type Values } from '../values.js';

type Props = {
  visit: Framing;
  values: Values;
  request: ListingRequest;
  /** The name of the chosen category. */
  category: string | undefined;
  connected: readonly ConnectedShop[];
  /** The dry run. */
  planned: JobAnswer;
  /** `as_of`: when the listing was last saved. Without it, the form is sent along in one field. */
  to: { publish: string; draft: string; back: string; as_of?: string };
  /** The fees have changed since they were shown. */
  has_changed?: boolean;
};

/** The effect and cost in each shop, and the button that confirms. */
export function NewReview({
  visit,
  values,
  request,
  category,
  connected,
  planned,
  to,
  has_changed = false,
}: Props) {
  const { shops = [], warnings = [] } = planned;
  const { sum, each, shop_ids } = readFee(planned);
  const photos = readPhotos(values);
  const offered = readRows(values, []).filter(({ is_on }) => is_on).length;
  const extent = formatCount(shops.length, 'shop');
  return (
    <Dashboard visit={visit} title="Review the new listing" section="Listings" width="narrow">
      <h1>Review</h1>
      {has_changed && (
        <Notice tone="bad">
          <p>The fees have changed since you were asked. Nothing was published and nothing was paid.</p>
        </Notice>
      )}
      <form
        class="card"
        method="post"
        action={to.publish}
        encType={to.as_of === undefined ? 'multipart/form-data' : undefined}
      >
        <FormToken visit={visit} />
        {to.as_of === undefined ? (
          <input type="hidden" name="form" value={values.toString()} />
        ) : (
          <input type="hidden" name="as_of" value={to.as_of} />
        )}
        <input type="hidden" name="sum" value={sum} />
        <input type="hidden" name="shops" value={shop_ids.join()} />
        <div class="stack tight">
          <h2>
            <Foreign text={readTrimmed(values, 'title')} />
          </h2>
          <ReviewPhotos values={values} />
          <p class="note">
            {formatCount(photos.length, 'photo')}
            {offered > 0 && `, ${formatCount(offered, 'variation')}`}
          </p>
          {values.getAll('video').map((url) => (
            <p class="note" key={url}>
              Video: <Foreign text={toFileName(url)} />
            </p>
          ))}
          {category !== undefined && (
            <p class="note">
              Category: <Foreign text={category} />
            </p>
          )}
        </div>
        <ReviewWords request={request} />
        <Table
          label="Shops"
          columns={[
            { name: 'Shop' },
            { name: 'What happens' },
            { name: 'Price', is_number: true },
            { name: 'Fee', is_number: true },
          ]}
          rows={shops.map(({ shop_id, shop_name, price, currency_code }) => ({
            key: shop_id,
            cells: [
              <Foreign text={shop_name} />,
              'New listing, active',
              `${offered > 1 ? 'From ' : ''}${formatPrice(price, currency_code)}`,
              toMoney(Number(each)),
            ],
          }))}
        />
        <p class="note">The fee covers four months. Etsy charges nothing in shops where publishing fails.</p>
        <VariationsTable
          request={request}
          currencies={new Map(shops.map(({ shop_id, currency_code }) => [shop_id, currency_code]))}
        />
        {values.get('listing_type') !== 'digital' && (
          <details>
            <summary>Shipping, returns and processing</summary>
            {connected.map(
              (shop) =>
                shops.some(({ shop_id }) => shop_id === String(shop.shop_id)) && (
                  <ShopFacts shop={shop} values={values} key={shop.shop_id} />
                ),
            )}
          </details>
        )}
        <Warnings warnings={warnings} />
        {shops.map(({ shop_id, shop_name, warnings: found }) => {
          const own = listShown(found);
          return (
            own.length > 0 && (
              <div class="stack tight" key={shop_id}>
                <p class="note">
                  <Foreign text={`${shop_name}:`} />
                </p>
                <Warnings warnings={own} />
              </div>
            )
          );
        })}
        <div class="row">
          <button type="submit" name="state" value="active">
            Publish in {extent} for {toMoney(Number(sum))}
          </button>
          <button type="submit" class="quiet" name="state" value="publish" formAction={to.draft}>
            Save as draft on Etsy, free
          </button>
          <Back to={to} />
        </div>
      </form>
    </Dashboard>
  );
}

/** Leads back to the form, and sends the form along for a listing that is not saved yet. */
function Back({ to }: Pick<Props, 'to'>) {
  const text = 'Back to editing';
  if (to.as_of !== undefined) {
    return (
      <a class="button quiet" href={to.back}>
        {text}
      </a>
    );
  }
  return (
    <button type="submit" class="quiet" formAction={to.back}>
      {text}
    </button>
  );
}

function Warnings({ warnings }: { warnings: readonly { reason: string }[] }) {
  const lines = [...new Set(warnings.map(({ reason }) => reason))];
  if (lines.length === 0) return null;
  return (
    <ul class="notes">
      {lines.map((line) => (
        <li key={line}>
          <Foreign text={line} />
        </li>
      ))}
    </ul>
  );
}
