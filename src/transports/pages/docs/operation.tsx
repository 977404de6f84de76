import { renderPage } from '../../../pages/index.js';
import { ERRORS } from '../../../core/errors.js';
import { listErrors, type Operation } from '../../../core/operations/operation.js';
import { buildAnswerSchema, buildInputSchema } from '../../json_schema.js';
import { API_PREFIX } from '../../rest/rest.js';
import { ERRORS_EXPLAINED } from '../../errors_explained.js';
import type { Contents } from './contents.js';
import { listFields } from './fields.js';
import { FieldsTable } from './fields_table.js';
import { DocsFrame } from './frame.js';
import { linkTo, nameOperationPage, type Place } from './place.js';
import { buildSamples, listTaken, SAMPLE_PHOTO, type Example } from './samples/index.js';

/** Everything about one operation: description, route, samples, fields, response, codes. */
export function buildOperationPage(
  operation: Operation,
  base_url: string,
  contents: Contents,
  place: Place,
): string {
  const { id, title, description, route, examples } = operation;
  const page = nameOperationPage(id);
  return renderPage(
    <DocsFrame title={title} place={place} current={page} contents={contents}>
      <div class="stack">
        <h1>{title}</h1>
        <p>
          <code>
            {route.method} {API_PREFIX}
            {route.path}
          </code>
          <span class="note">
            {' '}
            MCP tool <code>{id}</code> · {describeAccess(operation)}
          </span>
        </p>
        <p class="prose">{description}</p>
      </div>
      {examples.length > 0 && (
        <section class="stack" aria-labelledby="samples">
          <h2 id="samples">Samples</h2>
          <p class="note">
            With your key in the variable <code>KEY</code>
            {route.body === 'multipart' && (
              <>
                , and <code>{SAMPLE_PHOTO}</code> in the current folder
              </>
            )}
            . The ids are those of the sandbox that a new installation starts with.
          </p>
          {examples.map((example) => (
            <ExampleSamples
              key={example.summary}
              operation={operation}
              example={example}
              base_url={base_url}
              place={place}
            />
          ))}
        </section>
      )}
      <section class="stack" aria-labelledby="input">
        <h2 id="input">Input</h2>
        <FieldsTable fields={listFields(buildInputSchema(operation))} caption={`Fields of ${id}`} />
      </section>
      <section class="stack" aria-labelledby="answer">
        <h2 id="answer">Answer</h2>
        <FieldsTable
          fields={listFields(buildAnswerSchema(operation))}
          caption={`Fields of the answer of ${id}`}
        />
        {examples.slice(0, 1).map((example) => (
          <pre tabIndex={0} key={example.summary}>
            <code>{JSON.stringify(example.output, undefined, 2)}</code>
          </pre>
        ))}
      </section>
      <Codes operation={operation} place={place} />
    </DocsFrame>,
  );
}

function describeAccess({ auth, effect }: Operation): string {
  const credentials = auth === 'key' ? 'API key' : 'API key or bearer token';
  return effect === 'read' ? `${credentials} · reads` : `${credentials} · ${effect}s`;
}

type SamplesProps = { operation: Operation; example: Example; base_url: string; place: Place };

function ExampleSamples({ operation, example, base_url, place }: SamplesProps) {
  const taken = listTaken(example);
  return (
    <figure class="card">
      <figcaption>
        {example.summary}
        {taken.map(({ variable, from, field }) => (
          <span class="note" key={variable}>
            . <code>{variable}</code> is <code>{field}</code> of what{' '}
            <a href={linkTo(place, nameOperationPage(from))}>{from}</a> answered
          </span>
        ))}
      </figcaption>
      {buildSamples(operation, example, base_url).map(({ language, code }, index) => (
        <details key={language} open={index === 0}>
          <summary>{language}</summary>
          <pre tabIndex={0} class="copyable" data-language={language}>
            <code>{code}</code>
          </pre>
        </details>
      ))}
    </figure>
  );
}

function Codes({ operation, place }: { operation: Operation; place: Place }) {
  return (
    <section class="stack" aria-labelledby="errors">
      <h2 id="errors">Errors</h2>
      <div class="table-wrap" role="region" aria-label={`Errors of ${operation.id}`} tabIndex={0}>
        <table class="fields">
          <thead>
            <tr>
              <th scope="col">Code</th>
              <th scope="col">Status</th>
              <th scope="col">When</th>
            </tr>
          </thead>
          <tbody>
            {listErrors(operation).map((code) => (
              <tr key={code}>
                <th scope="row">
                  <a href={`${linkTo(place, 'reference')}#${code}`}>{code}</a>
                </th>
                <td>{ERRORS[code].status}</td>
                <td>{ERRORS_EXPLAINED[code].when}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
}
