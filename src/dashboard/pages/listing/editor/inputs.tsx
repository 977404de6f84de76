import type { ComponentChildren } from 'preact';
import { cleanForeign } from '../../../../core/text/foreign.js';
import { Foreign } from '../../../../pages/index.js';
import { read, type Problems, type Values } from './values.js';

/** The data that a form field is rendered from. */
export type Filled = { values: Values; problems: Problems };

/** Whether a field has a value or a problem, so that its section is open. */
export function isUsed({ values, problems }: Filled, name: string): boolean {
  return values.getAll(name).some((value) => value !== '') || problems.has(name);
}

/** The problems of a field, next to it; its input takes mark(). */
export function Problem({ id, problems }: { id: string; problems: Problems }) {
  const lines = problems.get(id);
  if (!lines) return null;
  return (
    <p class="problem" id={`${id}-problem`}>
      <Foreign text={lines.join(' ')} />
    </p>
  );
}

/** @param hasNote whether the field has a note, with the id `{id}-note` */
export function mark(id: string, problems: Problems, hasNote = false) {
  const isWrong = problems.has(id);
  const described = [...(isWrong ? [`${id}-problem`] : []), ...(hasNote ? [`${id}-note`] : [])];
  return {
    id,
    ...(isWrong && { 'aria-invalid': true }),
    ...(described.length > 0 && { 'aria-describedby': described.join(' ') }),
  };
}

type TextProps = {
  form: Filled;
  name: string;
  label: ComponentChildren;
  note?: ComponentChildren;
  type?: 'text' | 'lines' | 'number' | 'whole';
  /** For a repeated field, whose name is not its id. */
  id?: string;
  value?: string;
  rows?: number;
  /** For the script's counter: the maximum number of characters, or of words between commas. */
  count?: { of: 'characters' | 'words'; most: number };
  list?: string;
};

export function TextField({
  form,
  name,
  label,
  note,
  type = 'text',
  id = name,
  value = read(form.values, name),
  rows = 8,
  count,
  list,
}: TextProps) {
  const hasNote = note !== undefined || count !== undefined;
  const common = {
    ...mark(id, form.problems, hasNote),
    name,
    ...(count && { 'data-count': count.most, 'data-count-of': count.of }),
  };
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {type === 'lines' ? (
        <textarea {...common} rows={rows}>
          {/* Browsers drop the first line break. */ `\n${value}`}
        </textarea>
      ) : (
        <input
          {...common}
          type="text"
          inputMode={type === 'number' ? 'decimal' : type === 'whole' ? 'numeric' : undefined}
          value={value}
          autocomplete="off"
          list={list}
        />
      )}
      {hasNote && (
        <p class="note" id={`${id}-note`}>
          {note} {count && <Count value={value} count={count} />}
        </p>
      )}
      <Problem id={id} problems={form.problems} />
    </div>
  );
}

function Count({ value, count: { of, most } }: { value: string; count: NonNullable<TextProps['count']> }) {
  const used =
    of === 'characters' ? [...value].length : value.split(',').filter((word) => word.trim() !== '').length;
  return (
    <span data-counted>
      {used} of {most}
      {of === 'characters' ? ' characters' : ''}
    </span>
  );
}

type SelectProps = {
  form: Filled;
  name: string;
  label: ComponentChildren;
  note?: ComponentChildren;
  /** Value and text. */
  choices: readonly (readonly [string, string])[];
  /** The text for "no choice". */
  none?: string;
  id?: string;
  value?: string;
};

/** A saved value that is not among the choices is still offered, so that it is not replaced unseen. */
export function SelectField({
  form,
  name,
  label,
  note,
  choices,
  none,
  id = name,
  value = form.values.get(name) ?? '',
}: SelectProps) {
  const isKnown = value === '' || choices.some(([choice]) => choice === value);
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <select {...mark(id, form.problems, note !== undefined)} name={name}>
        {none !== undefined && <option value="">{none}</option>}
        {choices.map(([choice, text]) => (
          <option value={choice} selected={choice === value} key={choice}>
            {cleanForeign(text)}
          </option>
        ))}
        {!isKnown && (
          <option value={value} selected>
            The current one, which is no longer offered
          </option>
        )}
      </select>
      {note !== undefined && (
        <p class="note" id={`${id}-note`}>
          {note}
        </p>
      )}
      <Problem id={id} problems={form.problems} />
    </div>
  );
}

/** A part of the form, to which a step returns. */
export function Part({ id, title, children }: { id: string; title: string; children: ComponentChildren }) {
  return (
    <section class="card" id={id} aria-labelledby={`${id}-title`}>
      <h2 id={`${id}-title`}>{title}</h2>
      {children}
    </section>
  );
}

type StepProps = {
  /** See applyStep. */
  step: string;
  /** The part of the form that the page scrolls to afterwards. */
  at: string;
  action: string;
  children: ComponentChildren;
  /** The object of the action, for screen readers. */
  about?: string;
  id?: string;
  variant?: string;
  /** For the script: pressed when one of the part's other fields changes. */
  auto?: boolean;
};

/** A button that changes the form and shows it again. The script does that without a reload. */
export function Step({ step, at, action, children, about, id, variant = 'quiet', auto }: StepProps) {
  return (
    <button
      type="submit"
      class={variant}
      name="step"
      value={step}
      formAction={`${action}#${at}`}
      id={id}
      data-step
      data-auto={auto === true ? '' : undefined}
    >
      {children}
      {about !== undefined && <span class="visually-hidden"> {cleanForeign(about)}</span>}
    </button>
  );
}

type CellProps = {
  form: Filled;
  name: string;
  id: string;
  label: string;
  value: string;
  mode?: 'decimal' | 'numeric';
};

/** A field of a table, into which a column of a spreadsheet can be pasted. */
export function Cell({ form, name, id, label, value, mode }: CellProps) {
  return (
    <>
      <input
        {...mark(id, form.problems)}
        type="text"
        name={name}
        value={value}
        inputMode={mode}
        aria-label={label}
        autocomplete="off"
        data-column={name}
      />
      <Problem id={id} problems={form.problems} />
    </>
  );
}
