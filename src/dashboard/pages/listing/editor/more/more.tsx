import type { ComponentChildren } from 'preact';
import { capitalize } from '../../../../../core/issues/words.js';
import { getRow, isList } from '../../../../../core/listings/listing_fields.js';
import type { FieldName } from '../../../../../../schemas/listing_fields.js';
import { isUsed, Part, SelectField, TextField, type Filled } from '../inputs.js';
import { isChangeable, listUnits, MORE_FIELDS, PERSONALIZATION_FIELDS } from './fields.js';

type Props = {
  form: Filled;
  /** The listing is on Etsy, which does not accept new values for some fields. */
  isPublished: boolean;
};

/** Optional fields, and the questions to buyers. */
export function More({ form, isPublished }: Props) {
  const isShown = (field: FieldName) => !isPublished || isChangeable(field);
  return (
    <Part id="more-part" title="More details">
      <Group
        form={form}
        id="more-personalization"
        names={['personalization', ...PERSONALIZATION_FIELDS]}
        title="Personalization"
      >
        <SelectField
          form={form}
          name="personalization"
          label="Personalization"
          none="Off"
          choices={[
            ['optional', 'Optional: buyers may write something'],
            ['required', 'Required: buyers must write something'],
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
          label="Maximum characters"
          note="256 if left blank."
          type="whole"
        />
      </Group>
      {GROUPS.map(({ id, title, fields }) => (
        <Group form={form} id={id} names={fields.filter(isShown)} title={title} key={id}>
          {fields.filter(isShown).map((field) => (
            <Field form={form} field={field} key={field} />
          ))}
        </Group>
      ))}
      {MORE_FIELDS.filter((field) => !isShown(field)).map((field) => (
        <input type="hidden" name={field} value={form.values.get(field) ?? ''} key={field} />
      ))}
    </Part>
  );
}

/** Fields by subject; those that have none are in the last group. */
const GROUPS = [
  {
    id: 'more-size',
    title: 'Size and weight',
    fields: MORE_FIELDS.filter((field) => field.startsWith('item_')),
  },
  { id: 'more-styles', title: 'Styles and customization', fields: MORE_FIELDS.filter(isStyle) },
  {
    id: 'more-others',
    title: 'Renewal and sales tax',
    fields: MORE_FIELDS.filter((field) => !field.startsWith('item_') && !isStyle(field)),
  },
];

function isStyle(field: FieldName): boolean {
  return field === 'styles' || field === 'is_customizable';
}

type GroupProps = {
  form: Filled;
  id: string;
  names: readonly string[];
  title: string;
  children: ComponentChildren;
};

/** Closed, unless one of its fields has a value or a problem. */
function Group({ form, id, names, title, children }: GroupProps) {
  if (names.length === 0) return null;
  return (
    <details id={id} open={names.some((name) => isUsed(form, name))}>
      <summary>{title}</summary>
      <div class="grid">{children}</div>
    </details>
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
      {...(canBeBlank && { none: type === 'flag' ? 'Etsy’s default' : 'Choose…' })}
      choices={type === 'flag' ? ANSWERS : units.map((unit) => [unit, unit])}
    />
  );
}
