import { Foreign } from '../../../../../pages/index.js';
import { SelectField, type Filled } from '../inputs.js';
import { readPhotos, type Option } from '../values.js';

/** Which photo shows which value of an option. */
export function Pictures({ form, options }: { form: Filled; options: readonly Option[] }) {
  const photos = readPhotos(form.values);
  if (photos.length === 0) return null;
  const pictured = form.values.get('pictured') ?? '';
  const of = pictured === '' ? undefined : options[Number(pictured)];
  const chosen = new Map(
    form.values
      .getAll('picture_of')
      .map((value, index) => [value, form.values.getAll('picture')[index] ?? '']),
  );
  return (
    <details id="pictures" open={of !== undefined || form.problems.has('pictured')}>
      <summary>Photos of variations</summary>
      <div class="grid">
        <SelectField
          form={form}
          name="pictured"
          label="Photos vary by"
          none="No option"
          choices={options.map(({ name }, index) => [String(index), name])}
          note="Choose, then press Update the table."
        />
        {of?.values.map((value, index) => (
          <div key={value}>
            <input type="hidden" name="picture_of" value={value} />
            <SelectField
              form={form}
              id={`picture_${index}`}
              name="picture"
              label={<Foreign text={value} />}
              none="No photo"
              choices={photos.map(({ url }, place) => [url, `Photo ${place + 1}`])}
              value={chosen.get(value) ?? ''}
            />
          </div>
        ))}
      </div>
    </details>
  );
}
