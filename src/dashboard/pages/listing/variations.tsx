import type { ListingRequest } from '../../../../schemas/listing_request.js';
import { Foreign } from '../../../pages/index.js';
import { formatPrice } from '../../components/price.js';
import { ScrollingTable } from '../../components/scrolling_table.js';
import { buildVariationTable, type VariationRow } from './variation_rows.js';

export function VariationsTable({ request, currency_code }: Props) {
  const table = buildVariationTable(request);
  if (!table) return null;
  const { properties, rows, left_out, more } = table;
  const has_skus = rows.some(({ sku }) => sku !== undefined);
  return (
    <section class="stack">
      <h2>What buyers choose</h2>
      <ScrollingTable label="Variations">
        <thead>
          <tr>
            {properties.map((name) => (
              <th scope="col" key={name}>
                <Foreign text={name} />
              </th>
            ))}
            <th scope="col" class="number-cell">
              Price
            </th>
            <th scope="col" class="number-cell">
              In stock
            </th>
            {has_skus && <th scope="col">SKU</th>}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <Row row={row} currency_code={currency_code} has_skus={has_skus} key={row.values.join('\n')} />
          ))}
        </tbody>
      </ScrollingTable>
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

type Props = { request: ListingRequest; currency_code: string | undefined };

function Row({
  row: { values, price, quantity, sku, is_hidden },
  currency_code,
  has_skus,
}: {
  row: VariationRow;
  currency_code: string | undefined;
  has_skus: boolean;
}) {
  const [first = '', ...rest] = values;
  return (
    <tr>
      <th scope="row">
        <Foreign text={first} />
        {is_hidden && <span class="note"> (hidden)</span>}
      </th>
      {rest.map((value) => (
        <td key={value}>
          <Foreign text={value} />
        </td>
      ))}
      <td class="number-cell">{price === undefined ? '' : formatPrice(price, currency_code)}</td>
      <td class="number-cell">{quantity ?? ''}</td>
      {has_skus && (
        <td>
          <Foreign text={sku ?? ''} />
        </td>
      )}
    </tr>
  );
}
