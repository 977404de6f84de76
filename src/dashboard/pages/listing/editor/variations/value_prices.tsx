import { cleanForeign } from '../../../../../core/text/foreign.js';
import { Foreign } from '../../../../../pages/index.js';
import { Table } from '../../../../components/table.js';
import { Cell, SelectField, Step, type Filled } from '../inputs.js';
import type { findPricedBy } from './priced_by.js';
import { listCurrencies, MOST_OPTIONS, type Option, type Scope } from '../values.js';

type Props = {
  form: Filled;
  action: string;
  scope: Scope;
  options: readonly Option[];
  priced_by: ReturnType<typeof findPricedBy>;
};

const CHOICE =
  'Choose one option to set one price for each of its values. If a value already has several prices, the first one replaces the others.';

/** Selects the options that prices vary by; for one of two, shows a price for each of its values. */
export function ValuePrices({ form, action, scope, options, priced_by }: Props) {
  if (options.length !== MOST_OPTIONS) return null;
  const names = options.map(({ name }) => cleanForeign(name));
  const codes = listCurrencies(form.values, scope);
  return (
    <>
      <SelectField
        form={form}
        name="priced_by"
        label="Prices vary by"
        value={priced_by === undefined ? '' : String(priced_by.option)}
        choices={[
          ['', names.join(' and ')],
          ...names.map((name, index): [string, string] => [String(index), `${name} only`]),
        ]}
        note={CHOICE}
      />
      <p>
        <Step step="table" at="variations-part" action={action} id="priced-by-use" auto>
          Update the table
        </Step>
      </p>
      {priced_by && (
        <>
          <input type="hidden" name="value_option" value={priced_by.option} />
          <Table
            label="Prices"
            columns={[
              { name: names[priced_by.option] || 'Value' },
              ...codes.map((code) => ({ name: `Price, ${code}` })),
            ]}
            rows={priced_by.groups.map(({ value, rows: [lead] }) => ({
              key: lead.place,
              cells: [
                <>
                  <input type="hidden" name="value_of" value={value} />
                  <Foreign text={value} />
                </>,
                ...codes.map((code) => (
                  <Cell
                    form={form}
                    name={`value_price_${code}`}
                    id={`row_price_${code}_${lead.place}`}
                    label={`Price in ${code} of ${cleanForeign(value)}`}
                    value={lead.prices.get(code) ?? ''}
                    mode="decimal"
                  />
                )),
              ],
            }))}
          />
        </>
      )}
    </>
  );
}
