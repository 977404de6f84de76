import type { Field } from './fields.js';

/** @param caption names the table, for screen readers */
export function FieldsTable({ fields, caption }: { fields: readonly Field[]; caption: string }) {
  if (fields.length === 0) return <p class="note">No fields.</p>;
  return (
    <div class="table-wrap" role="region" aria-label={caption} tabIndex={0}>
      <table class="fields">
        <thead>
          <tr>
            <th scope="col">Field</th>
            <th scope="col">Type</th>
            <th scope="col">What it is</th>
          </tr>
        </thead>
        <tbody>
          {fields.map((field) => (
            <tr key={field.path}>
              <th scope="row">
                <code>{field.path}</code>
                {field.is_required && <span class="note"> required</span>}
              </th>
              <td>
                {field.type}
                {field.limits && <span class="note">, {field.limits}</span>}
              </td>
              <td>{field.description}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
