import type { Framing } from '../page.js';
import { FormToken } from './form_token.js';

type ActionProps = {
  visit: Framing;
  /** The path that the form is posted to. */
  to: string;
  /** The button's text. */
  label: string;
  /** The object of the action, for screen readers, which read a button without its surroundings. */
  about?: string;
  variant?: 'quiet' | 'danger';
  fields?: Readonly<Record<string, string>>;
  /** Fields with repeated names. */
  repeated?: readonly (readonly [string, string])[];
};

/** A form with one button, for one action. */
export function Action({ visit, to, label, about, variant, fields = {}, repeated = [] }: ActionProps) {
  return (
    <form method="post" action={to}>
      <FormToken visit={visit} />
      {[...Object.entries(fields), ...repeated].map(([name, value]) => (
        <input type="hidden" name={name} value={value} key={name + value} />
      ))}
      <button type="submit" class={variant}>
        {label}
        {about !== undefined && <span class="visually-hidden"> {about}</span>}
      </button>
    </form>
  );
}
