import { cleanForeign } from '../../../../../core/text/foreign.js';
import { Foreign } from '../../../../../pages/index.js';
import { Table } from '../../../../components/table.js';
import { Cell, mark, Part, Problem, SelectField, Step, TextField, type Filled } from '../inputs.js';
import { Pictures } from './pictures.js';
import { findPricedBy } from './priced_by.js';
import { findProperty } from '../to_request.js';
import { ValuePrices } from './value_prices.js';
import {
  listAllCurrencies,
  listCurrencies,
  MOST_OPTIONS,
  MOST_ROWS,
  readOptions,
  readRows,
  writeKey,
  type Option,
  type Row,
  type Scope,
} from '../values.js';

type Props = { form: Filled; action: string; scope: Scope };

/** Options, such as sizes, and the table of their combinations. */
export function Variations({ form, action, scope }: Props) {
  const { values, problems } = form;
  const options = readOptions(values);
  const rows = readRows(values, listAllCurrencies(scope));
  const priced_by = findPricedBy(values, scope);
  // Combinations have no price fields if the values of an option have them.
  const codes = priced_by ? [] : listCurrencies(values, scope);
  return (
    <Part id="variations-part" title="Variations">
      {options.length === 0 && (
        <p class="note">
          Only if buyers choose, for example, a size or a color. Each choice can have its own price and stock.
        </p>
      )}
      <Problem id="variations-part" problems={problems} />
      {options.map((option, index) => (
        <OptionFields form={form} action={action} scope={scope} option={option} index={index} key={index} />
      ))}
      <div class="row">
        {options.length < MOST_OPTIONS && (
          <Step step="option-add" at="variations-part" action={action} id="option-add">
            {options.length === 0 ? 'Add variations' : 'Add a second option'}
          </Step>
        )}
        {options.length > 0 && (
          <Step step="table" at="variations-part" action={action} id="table" auto>
            Update the table
          </Step>
        )}
      </div>
      {rows.length > 0 && (
        <>
          {rows[0]?.key.length === MOST_OPTIONS && (
            <ValuePrices {...{ form, action, scope, options, priced_by }} />
          )}
          <Combinations form={form} scope={scope} options={options} rows={rows} shown={codes} />
          <Fill form={form} action={action} codes={codes} />
          <Pictures form={form} options={options} />
        </>
      )}
    </Part>
  );
}

type OptionProps = Props & { option: Option; index: number };

function OptionFields({ form, action, scope, option, index }: OptionProps) {
  const { values } = form;
  const nth = index === 0 ? 'First' : 'Second';
  const scales = findProperty(option.name, scope.category)?.scales ?? [];
  const known = scope.category?.variation_properties ?? [];
  return (
    <fieldset class="option">
      <legend class="visually-hidden">{nth} option</legend>
      <TextField
        form={form}
        id={`option_name_${index}`}
        name="option_name"
        label={`${nth} option`}
        note="What buyers choose, such as Size."
        value={values.getAll('option_name')[index] ?? ''}
        list={known.length > 0 ? 'option-names' : undefined}
      />
      {index === 0 && known.length > 0 && (
        <datalist id="option-names">
          {known.map(({ property_id, display_name }) => (
            <option value={cleanForeign(display_name)} key={property_id} />
          ))}
        </datalist>
      )}
      {scales.length > 0 ? (
        <SelectField
          form={form}
          id={`option_scale_${index}`}
          name="option_scale"
          label="Unit"
          none="No unit"
          choices={scales.map((scale) => [String(scale.scale_id), scale.display_name])}
          value={option.scale}
        />
      ) : (
        <input type="hidden" name="option_scale" value="" />
      )}
      <TextField
        form={form}
        id={`option_values_${index}`}
        name="option_values"
        label={
          option.name === ''
            ? `Values of the ${nth.toLowerCase()} option`
            : `Values of ${cleanForeign(option.name)}`
        }
        note="One on each line, or separated by commas. You can paste a column of a spreadsheet."
        type="lines"
        rows={Math.min(10, Math.max(3, option.values.length + 1))}
        value={(values.getAll('option_values')[index] ?? '').replaceAll('\r\n', '\n')}
      />
      <p>
        <Step
          step={`option-remove ${index}`}
          at="variations-part"
          action={action}
          about={`the ${nth.toLowerCase()} option`}
        >
          Remove
        </Step>
      </p>
    </fieldset>
  );
}

type CombinationsProps = {
  form: Filled;
  scope: Scope;
  options: readonly Option[];
  rows: readonly Row[];
  /** The currencies whose prices are shown. */
  shown: readonly string[];
};

function Combinations({ form, scope, options, rows, shown }: CombinationsProps) {
  const hidden = listAllCurrencies(scope).filter((code) => !shown.includes(code));
  return (
    <>
      <p class="note">
        A blank price or stock uses the value in “Price and stock”. Uncheck variations that you do not offer.
        {rows.length === MOST_ROWS && ` The table shows at most ${MOST_ROWS} variations.`}
      </p>
      <Table
        label="Table of variations"
        columns={[
          { name: options.map(({ name }) => cleanForeign(name)).join(', ') || 'Variation' },
          ...shown.map((code) => ({ name: `Price, ${code}` })),
          { name: 'Stock' },
          { name: 'SKU' },
        ]}
        rows={rows.map((row, place) => {
          const about = cleanForeign(row.key.join(', '));
          return {
            key: place,
            cells: [
              <>
                <label class="choice">
                  <input type="hidden" name="row" value={writeKey(row.key)} />
                  <input
                    {...mark(`row_on_${place}`, form.problems)}
                    type="checkbox"
                    name="row_on"
                    value={writeKey(row.key)}
                    checked={row.is_on}
                  />
                  <Foreign text={row.key.join(', ')} />
                </label>
                <Problem id={`row_on_${place}`} problems={form.problems} />
                {hidden.map((code) => (
                  <input
                    type="hidden"
                    name={`row_price_${code}`}
                    value={row.prices.get(code) ?? ''}
                    key={code}
                  />
                ))}
              </>,
              ...shown.map((code) => (
                <Cell
                  form={form}
                  name={`row_price_${code}`}
                  id={`row_price_${code}_${place}`}
                  label={`Price in ${code} of ${about}`}
                  value={row.prices.get(code) ?? ''}
                  mode="decimal"
                />
              )),
              <Cell
                form={form}
                name="row_stock"
                id={`row_stock_${place}`}
                label={`Stock of ${about}`}
                value={row.stock}
                mode="numeric"
              />,
              <Cell
                form={form}
                name="row_sku"
                id={`row_sku_${place}`}
                label={`SKU of ${about}`}
                value={row.sku}
              />,
            ],
          };
        })}
      />
    </>
  );
}

/** A column of a spreadsheet for the table. With the script, it can be pasted into the first cell. */
function Fill({ form, action, codes }: Omit<Props, 'scope'> & { codes: readonly string[] }) {
  return (
    <details id="fill">
      <summary>Paste a column from a spreadsheet</summary>
      <div class="stack">
        <SelectField
          form={form}
          name="fill_column"
          label="Column"
          choices={[
            ...codes.map((code) => [code, `Price, ${code}`] as const),
            ['stock', 'Stock'],
            ['sku', 'SKU'],
          ]}
        />
        <TextField
          form={form}
          name="fill_text"
          label="Values"
          note="One on each line, from the first row."
          type="lines"
          rows={4}
        />
        <p>
          <Step step="fill" at="variations-part" action={action}>
            Fill the rows
          </Step>
        </p>
      </div>
    </details>
  );
}
