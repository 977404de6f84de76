/** A field of a form for an edit. `choices`: value and label. */
export type EditField = {
  name: string;
  label: string;
  type: 'number' | 'percent' | 'whole' | 'text' | 'lines' | 'choice' | 'photos';
  choices?: readonly (readonly [string, string])[];
  note?: string;
  is_required?: true;
};

type Props = {
  id: string;
  field: EditField;
  value: string | null | undefined;
  /** The problem with the value, as a sentence. */
  problem?: string | undefined;
};

const INPUT_MODES: Partial<Record<EditField['type'], 'decimal' | 'numeric'>> = {
  number: 'decimal',
  percent: 'decimal',
  whole: 'numeric',
};

/** A field of a form, with its label and note. */
export function Field({ id, field, value, problem }: Props) {
  const { name, label, type, choices = [], note, is_required } = field;
  const described = [
    ...(problem === undefined ? [] : [`${id}-problem`]),
    ...(note === undefined ? [] : [`${id}-note`]),
  ];
  const common = {
    id,
    name,
    required: is_required,
    ...(problem !== undefined && { 'aria-invalid': true }),
    ...(described.length > 0 && { 'aria-describedby': described.join(' ') }),
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
        <input {...common} type="text" inputMode={INPUT_MODES[type]} value={value ?? ''} autocomplete="off" />
      )}
      {problem !== undefined && (
        <p class="problem" id={`${id}-problem`}>
          {problem}
        </p>
      )}
      {note !== undefined && (
        <p class="note" id={`${id}-note`}>
          {note}
        </p>
      )}
    </div>
  );
}
