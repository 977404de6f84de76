import type { AttributeSchema, CategoryMatch } from '../../../../../schemas/category.js';
import { cleanForeign } from '../../../../core/text/foreign.js';
import { Foreign } from '../../../../pages/index.js';
import { Part, Problem, SelectField, Step, TextField, type Filled } from './inputs.js';
import type { Scope } from './values.js';

type Props = {
  form: Filled;
  action: string;
  category: Scope['category'];
  /** Categories that match the words; undefined if there was no search. */
  found: readonly CategoryMatch[] | undefined;
  /** The name of the chosen category. */
  path: string | undefined;
  chosen_by: string | undefined;
};

/** Finds a category by words, and shows its attributes. */
export function Category({ form, action, category, found, path, chosen_by }: Props) {
  const chosen = form.values.get('category_id') ?? '';
  const isListed = found?.some(({ category_id }) => String(category_id) === chosen) ?? false;
  return (
    <Part id="category-part" title="Category">
      {path !== undefined && (
        <p>
          <strong>
            <Foreign text={path} />
          </strong>
        </p>
      )}
      {chosen_by !== undefined && (
        <p class="note" role="status">
          <Foreign
            text={`This is the only category that matches “${chosen_by}”, so it was selected. If it does not fit, find another one.`}
          />
        </p>
      )}
      {!isListed && <input type="hidden" name="category_id" value={chosen} />}
      <TextField
        form={form}
        name="category_words"
        label={path === undefined ? 'Find a category' : 'Find another category'}
        note="A word or two, such as “mug” or “table runner”."
      />
      <p>
        <Step step="category-find" at="category-part" action={action} id="category-find">
          Find categories
        </Step>
      </p>
      {found?.length === 0 && <p role="status">No category matches. Try another word.</p>}
      {found && found.length > 0 && (
        <fieldset>
          <legend>Choose the category that fits</legend>
          {found.map(({ category_id, full_path }) => (
            <label class="choice" key={category_id}>
              <input
                type="radio"
                name="category_id"
                value={category_id}
                checked={String(category_id) === chosen}
                data-press="category-use"
              />
              <Foreign text={full_path} />
            </label>
          ))}
          <p>
            <Step step="category-use" at="category-part" action={action} id="category-use" auto>
              Use this category
            </Step>
          </p>
        </fieldset>
      )}
      {category && <Attributes form={form} attributes={category.category_attributes} />}
    </Part>
  );
}

function Attributes({ form, attributes }: { form: Filled; attributes: readonly AttributeSchema[] }) {
  const isFirst = ({ is_required, property_id }: AttributeSchema) =>
    is_required || form.problems.has(`attribute_${property_id}`);
  const required = attributes.filter(isFirst);
  const optional = attributes.filter((attribute) => !isFirst(attribute));
  const given = optional.filter(({ property_id }) =>
    form.values.getAll(`attribute_${property_id}`).some((value) => value !== ''),
  ).length;
  return (
    <>
      {required.map((attribute) => (
        <Attribute form={form} attribute={attribute} key={attribute.property_id} />
      ))}
      {optional.length > 0 && (
        <details id="attributes" open={given > 0}>
          <summary>
            {given} of {optional.length} optional details filled in. They help buyers find the listing.
          </summary>
          <div class="grid">
            {optional.map((attribute) => (
              <Attribute form={form} attribute={attribute} key={attribute.property_id} />
            ))}
          </div>
        </details>
      )}
    </>
  );
}

function Attribute({ form, attribute }: { form: Filled; attribute: AttributeSchema }) {
  const { property_id, display_name, possible_values, scales, is_multivalued, is_required } = attribute;
  const name = `attribute_${property_id}`;
  const label = (
    <>
      <Foreign text={display_name} />
      {is_required && ' (required)'}
    </>
  );
  const nameOf = ({ name: value, scale_id }: AttributeSchema['possible_values'][number]) => {
    const scale = scales.find((known) => known.scale_id === scale_id)?.display_name;
    return scale === undefined ? value : `${value} ${scale}`;
  };
  if (possible_values.length === 0) {
    return (
      <div class="stack">
        <TextField form={form} name={name} label={label} />
        {scales.length > 0 && (
          <SelectField
            form={form}
            name={`attribute_scale_${property_id}`}
            label={`Unit of ${cleanForeign(display_name)}`}
            none="Choose…"
            choices={scales.map((scale) => [String(scale.scale_id), scale.display_name])}
          />
        )}
      </div>
    );
  }
  if (!is_multivalued) {
    return (
      <SelectField
        form={form}
        name={name}
        label={label}
        none="Not given"
        choices={possible_values.map((value) => [String(value.value_id), nameOf(value)])}
      />
    );
  }
  const chosen = new Set(form.values.getAll(name));
  return (
    <fieldset id={name} tabIndex={-1}>
      <legend>{label}</legend>
      <div class="choices">
        {possible_values.map((value) => (
          <label class="choice" key={value.value_id}>
            <input
              type="checkbox"
              name={name}
              value={value.value_id ?? ''}
              checked={chosen.has(String(value.value_id))}
            />
            <Foreign text={nameOf(value)} />
          </label>
        ))}
      </div>
      <Problem id={name} problems={form.problems} />
    </fieldset>
  );
}
