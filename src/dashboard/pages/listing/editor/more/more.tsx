import { capitalize } from '../../../../../core/issues/words.js';
import { getRow, isList } from '../../../../../core/listings/listing_fields.js';
import type { FieldName } from '../../../../../../schemas/listing_fields.js';
import { Part, SelectField, TextField, type Filled } from '../inputs.js';
import { isChangeable, listUnits, MORE_FIELDS, PERSONALIZATION_FIELDS } from './fields.js';

type Props = {
  form: Filled;
  /** The listing is on Etsy, which does not accept new values for some fields. */
  isPublished: boolean;
};

/** Optional fields, and the questions to buyers. */
export function More({ form, isPublished }: Props) {
  const names = [...MORE_FIELDS, 'personalization', ...PERSONALIZATION_FIELDS];
  const isOpen = names.some((name) => (form.values.get(name) ?? '') !== '' || form.problems.has(name));
  return (
    <Part id="more-part" title="More details">
      <details id="more" open={isOpen}>
        <summary>Personalization, styles, size, weight and renewal</summary>
        <div class="grid">
          <SelectField
            form={form}
            name="personalization"
            label="Personalization"
            none="Off"
            choices={[
              ['optional', 'Buyers may write something'],
              ['required', 'Buyers have to write something'],
            ]}
          />
          <TextField
            form={form}
            name="personalization_text"
            label="Instructions for buyers"
            type="lines"
            rows={2}
          />
          <TextField
            form={form}
            name="personalization_max"
            label="Most characters"
            note="256 if left empty."
            type="whole"
          />
          {MORE_FIELDS.map((field) =>
            isPublished && !isChangeable(field) ? (
              <input type="hidden" name={field} value={form.values.get(field) ?? ''} key={field} />
            ) : (
              <Field form={form} field={field} key={field} />
            ),
          )}
        </div>
      </details>
    </Part>
  );
}

const ANSWERS = [
  ['yes', 'Yes'],
  ['no', 'No'],
] as const;

function Field({ form, field }: { form: Filled; field: FieldName }) {
  const { label, type, update } = getRow(field);
  const units = listUnits(field);
  const words = capitalize(label.many ?? label.one);
  const isChosen = type === 'flag' || units.length > 0;
  if (!isChosen) {
    const note = isList(field) ? { note: 'Separate them with commas.' } : {};
    return (
      <TextField
        form={form}
        name={field}
        label={words}
        type={type === 'number' ? 'number' : 'text'}
        {...note}
      />
    );
  }
  // Etsy always has a value for a field that can be set but not cleared.
  const canBeBlank = update !== 'set' || (form.values.get(field) ?? '') === '';
  return (
    <SelectField
      form={form}
      name={field}
      label={words}
      {...(canBeBlank && { none: type === 'flag' ? 'As Etsy sets it' : 'Choose…' })}
      choices={type === 'flag' ? ANSWERS : units.map((unit) => [unit, unit])}
    />
  );
}
