import type { ListingRequest } from '../../../../../schemas/listing_request.js';
import { cleanForeign } from '../../../../core/errors.js';
import { Foreign } from '../../../../pages/index.js';
import { Table } from '../../../components/table.js';
import { describeOfferingPrice, type Currencies } from './price_words.js';
import { buildVariationTable, type VariationRow } from './variation_rows.js';

export function VariationsTable({ request, currencies }: Props) {
  const table = buildVariationTable(request);
  if (!table) return null;
  const { properties, rows, left_out, more } = table;
  const has_skus = rows.some(({ sku }) => sku !== undefined);
  return (
    <section class="stack">
      <h2>What buyers choose</h2>
      <Table
        label="Variations"
        columns={[
          ...properties.map((name) => ({ name: cleanForeign(name) })),
          { name: 'Price', is_number: true },
          { name: 'In stock', is_number: true },
          ...(has_skus ? [{ name: 'SKU' }] : []),
        ]}
        rows={rows.map((row) => ({
          key: row.values.join('\n'),
          cells: [
            ...listValues(row),
            describeOfferingPrice(row.price, request, currencies) ?? '',
            row.quantity ?? '',
            ...(has_skus ? [toSku(row)] : []),
          ],
        }))}
      />
      {more > 0 && <p class="note">And {more} more.</p>}
      {left_out > 0 && (
        <p class="note">
          {left_out === 1 ? 'One more combination is' : `${left_out} more combinations are`} not offered, and
          hidden from buyers.
        </p>
      )}
    </section>
  );
}

type Props = { request: ListingRequest; currencies: Currencies };

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
