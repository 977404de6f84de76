import { ERRORS } from '../../../core/errors.js';
import { listErrors, type Operation } from '../../../core/operation.js';
import { buildAnswerSchema, buildInputSchema } from '../../json_schema.js';
import { API_PREFIX } from '../../rest/rest.js';
import { buildCurl, listTaken } from './curl.js';
import { listFields } from './fields.js';
import { FieldsTable } from './fields_table.js';

/** Everything about one operation: words, route, fields, commands, answer, codes. Its id is the anchor. */
export function OperationSection({ operation, base_url }: { operation: Operation; base_url: string }) {
  const { id, title, description, route, examples } = operation;
  const input = listFields(buildInputSchema(operation));
  const output = listFields(buildAnswerSchema(operation));
  return (
    <section class="card" id={id} aria-labelledby={`${id}-title`}>
      <h3 id={`${id}-title`}>{title}</h3>
      <p>
        <code>
          {route.method} {API_PREFIX}
          {route.path}
        </code>
        <span class="note">
          {' '}
          tool <code>{id}</code> · {describeAccess(operation)}
        </span>
      </p>
      <p>{description}</p>
      {input.length > 0 && <FieldsTable fields={input} caption={`Fields of ${id}`} />}
      {examples.map((example) => (
        <Command operation={operation} example={example} base_url={base_url} />
      ))}
      <details>
        <summary>The answer</summary>
        <div class="stack">
          <FieldsTable fields={output} caption={`Fields of the answer of ${id}`} />
          {examples.slice(0, 1).map((example) => (
            <pre tabIndex={0}>
              <code>{JSON.stringify(example.output, undefined, 2)}</code>
            </pre>
          ))}
        </div>
      </details>
      <p class="note">
        Errors:{' '}
        {listErrors(operation).map((code, index) => (
          <>
            {index > 0 && ', '}
            <a href={`#${code}`}>{code}</a> ({ERRORS[code].status})
          </>
        ))}
      </p>
    </section>
  );
}

function describeAccess({ auth, effect }: Operation): string {
  const credentials = auth === 'key' ? 'API key' : 'API key or bearer token';
  return effect === 'read' ? `${credentials} · reads` : `${credentials} · ${effect}s`;
}

type CommandProps = {
  operation: Operation;
  example: Operation['examples'][number];
  base_url: string;
};

function Command({ operation, example, base_url }: CommandProps) {
  return (
    <figure class="stack tight">
      <figcaption class="note">
        {example.summary}
        {listTaken(example).map(({ variable, from, field }) => (
          <>
            . <code>{variable}</code> is <code>{field}</code> of what <a href={`#${from}`}>{from}</a> answered
          </>
        ))}
        {operation.route.body === 'multipart' && (
          <>
            , with <code>mug.jpg</code> in the current folder
          </>
        )}
      </figcaption>
      <pre tabIndex={0} class="copyable">
        <code>{buildCurl(operation, example, base_url)}</code>
      </pre>
    </figure>
  );
}
