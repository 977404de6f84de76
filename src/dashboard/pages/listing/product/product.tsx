import type { ListingRequest } from '../../../../../schemas/listing_request.js';
import { Foreign } from '../../../../pages/index.js';
import { toFileName } from '../../../components/file_address.js';
import type { PhotoProps } from '../../../components/photo.js';
import { toListingPath } from '../../../routes.js';
import { toMakingWords } from '../../../../core/issues/making_words.js';
import type { Attributes } from './attributes.js';
import { MOST_PHOTOS } from './add_photos.js';
import { Gallery } from './gallery.js';
import { describePrice, type Currencies, describeOfferingPrices } from './price_words.js';
import { LISTING_FIELDS } from '../../../../../schemas/listing_fields.js';
import { readGiven, SHARED } from '../../../../core/listings/listing_fields.js';
import { cleanForeign } from '../../../../core/text/foreign.js';
import { Table } from '../../../components/table.js';
import { buildVariationTable, type VariationRow } from './variation_rows.js';

type Props = {
  saved: PhotoProps['listing'];
  request: ListingRequest;
  currencies: Currencies;
  attributes: Attributes;
};

type DetailsProps = Pick<Props, 'request' | 'attributes'>;

/** The listing as a buyer would see it. */
export function Product({ saved, request, currencies, attributes }: Props) {
  const { listing, personalization, digital_files = [], videos = [] } = request;
  const tags = listing.tags ?? [];
  const price = describePrice(request, currencies);
  const count = request.images?.length ?? 0;
  return (
    <article class="product" aria-label="As buyers see it">
      <Gallery listing={saved} request={request} />
      {count > 0 && count < MOST_PHOTOS && (
        <p>
          <a href={`${toListingPath(saved.listing_pk)}/add-photos`}>Add photos…</a>
        </p>
      )}
      {price !== undefined && <p class="price">{price}</p>}
      <section class="stack tight">
        <h2>Description</h2>
        <p class="pre-line">
          <Foreign text={listing.description} />
        </p>
      </section>
      <VariationsTable request={request} currencies={currencies} />
      {personalization?.enabled === true && (
        <section class="stack tight">
          <h2>Personalization</h2>
          <p>
            <Foreign text={personalization.instructions ?? 'Buyers may write what they wish.'} />
          </p>
          <p class="note">
            {personalization.is_required ? 'Required' : 'Optional'}, at most{' '}
            {personalization.max_chars ?? 256} characters.
          </p>
        </section>
      )}
      <Details request={request} attributes={attributes} />
      {digital_files.length > 0 && (
        <section class="stack tight">
          <h2>Files that buyers receive</h2>
          <ul>
            {digital_files.map(({ name, url }) => (
              <li key={url}>
                <Foreign text={name ?? toFileName(url)} />
              </li>
            ))}
          </ul>
        </section>
      )}
      {videos.length > 0 && (
        <p class="note">{videos.length === 1 ? 'With a video.' : `With ${videos.length} videos.`}</p>
      )}
      {tags.length > 0 && (
        <section class="stack tight">
          <h2>Tags</h2>
          <ul class="chips">
            {tags.map((tag) => (
              <li key={tag}>
                <Foreign text={tag} />
              </li>
            ))}
          </ul>
        </section>
      )}
    </article>
  );
}

function Details({ request, attributes }: DetailsProps) {
  const { listing, variations } = request;
  const facts = [
    ['Kind', listing.listing_type === 'digital' ? 'Digital, to download' : 'Physical'],
    ['Made', describeMaking(listing)],
    ['In stock', variations ? undefined : listing.quantity?.toString()],
    ['SKU', variations ? undefined : listing.sku],
    ['Materials', listing.materials?.join(', ')],
    ['Styles', listing.styles?.join(', ')],
    ['Weight', describeMeasure([listing.item_weight], listing.item_weight_unit)],
    [
      'Size',
      describeMeasure(
        [listing.item_length, listing.item_width, listing.item_height],
        listing.item_dimensions_unit,
      ),
    ],
    ...attributes,
    ...listSharedFacts(request),
  ] as const;
  return (
    <section class="stack tight">
      <h2>Details</h2>
      <dl class="facts">
        {facts.map(([name, value]) =>
          value ? (
            <>
              <dt>{name}</dt>
              <dd>
                <Foreign text={value} />
              </dd>
            </>
          ) : null,
        )}
      </dl>
    </section>
  );
}

const MAKERS: Record<string, string> = {
  i_did: 'by you',
  someone_else: 'by someone else',
  collective: 'by a member of the shop',
};

export function describeMaking({
  who_made,
  when_made,
  is_supply,
}: ListingRequest['listing']): string | undefined {
  const words = [
    who_made && MAKERS[who_made],
    when_made && toMakingWords(when_made),
    is_supply ? 'a craft supply' : undefined,
  ];
  return words.filter(Boolean).join(', ');
}

function describeMeasure(values: readonly (number | null | undefined)[], unit: string | null | undefined) {
  const known = values.filter((value) => value !== undefined && value !== null);
  return known.length === 0 ? undefined : `${known.join(' × ')} ${unit ?? ''}`.trim();
}

/** Facts that shops can share or have of their own, by their labels; several values if the shops differ. */
function listSharedFacts({ listing, shops }: ListingRequest): (readonly [string, string])[] {
  return SHARED.flatMap((field) => {
    const values = shops.map((target) => readGiven(field, listing, target));
    const given = [...new Set(values.filter((value) => value !== undefined && value !== null).map(String))];
    const { one } = LISTING_FIELDS[field].label;
    return given.length === 0
      ? []
      : [[`${one.charAt(0).toUpperCase()}${one.slice(1)}`, given.join(', ')] as const];
  });
}

export function VariationsTable({ request, currencies }: Pick<Props, 'request' | 'currencies'>) {
  const table = buildVariationTable(request);
  if (!table) return null;
  const { properties, rows, left_out, more } = table;
  const hasSkus = rows.some(({ sku }) => sku !== undefined);
  const describePriceOf = describeOfferingPrices(request, currencies);
  return (
    <section class="stack">
      <h2>What buyers choose</h2>
      <Table
        label="Variations"
        columns={[
          ...properties.map((name) => ({ name: cleanForeign(name) })),
          { name: 'Price', is_number: true },
          { name: 'In stock', is_number: true },
          ...(hasSkus ? [{ name: 'SKU' }] : []),
        ]}
        rows={rows.map((row) => ({
          key: row.values.join('\n'),
          cells: [
            ...listValues(row),
            describePriceOf(row.values) ?? '',
            row.quantity ?? '',
            ...(hasSkus ? [toSku(row)] : []),
          ],
        }))}
      />
      {more > 0 && <p class="note">And {more} more.</p>}
      {left_out > 0 && (
        <p class="note">
          {left_out === 1 ? 'One more variation is' : `${left_out} more variations are`} not offered, and
          hidden from buyers.
        </p>
      )}
    </section>
  );
}

function listValues({ values, is_hidden }: VariationRow) {
  return values.map((value, place) => (
    <>
      <Foreign text={value} />
      {is_hidden && place === 0 && <span class="note"> (hidden)</span>}
    </>
  ));
}

function toSku({ sku = '' }: VariationRow) {
  return sku === '' ? '' : <Foreign text={sku} />;
}
