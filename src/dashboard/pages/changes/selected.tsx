import type { Scope } from './selection.js';

/** A selection of listings, as hidden fields of a form. */
export function Selected({ scope: { fields } }: { scope: Pick<Scope, 'fields'> }) {
  return (
    <>
      {fields.map(([name, value]) => (
        <input type="hidden" name={name} value={value} key={name + value} />
      ))}
    </>
  );
}
