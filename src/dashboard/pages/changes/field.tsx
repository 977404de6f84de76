/** A field of a form for an edit. `choices`: value and label. */
export type EditField = {
  name: string;
  label: string;
  type: 'number' | 'whole' | 'text' | 'lines' | 'choice' | 'photos';
  choices?: readonly (readonly [string, string])[];
  note?: string;
};

type Props = { id: string; field: EditField; value: string | null | undefined };

/** A field of a form, with its label and note. */
export function Field({ id, field, value }: Props) {
  const { name, label, type, choices = [], note } = field;
  const common = {
    id,
    name,
    ...(note !== undefined && { 'aria-describedby': `${id}-note` }),
  };
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {type === 'choice' ? (
        <select {...common}>
          {choices.map(([choice, text]) => (
            <option value={choice} selected={choice === value} key={choice}>
              {text}
            </option>
          ))}
        </select>
      ) : type === 'photos' ? (
        <input {...common} type="file" accept="image/*" multiple required />
      ) : type === 'lines' ? (
        <textarea {...common} rows={6}>
          {/* Browsers drop the first line break. */ `\n${value ?? ''}`}
        </textarea>
      ) : (
        <input
          {...common}
          type="text"
          inputMode={type === 'number' ? 'decimal' : type === 'whole' ? 'numeric' : undefined}
          value={value ?? ''}
          autocomplete="off"
        />
      )}
      {note !== undefined && (
        <p class="note" id={`${id}-note`}>
          {note}
        </p>
      )}
    </div>
  );
}
