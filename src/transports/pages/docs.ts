import { ERRORS } from '../../core/errors.js';
import { SHARED_ERRORS, type Operation } from '../../core/operation.js';
import { buildInputSchema, type JsonSchema, type ObjectSchema } from '../json_schema.js';
import { API_PREFIX } from '../rest/rest.js';
import { buildCurl } from './curl.js';
import { buildPage, html, type Html } from './html.js';

/** Every operation and every error code on one page, without scripts. Codes are anchors: `#VALIDATION_FAILED`. */
export function buildDocsPage(operations: readonly Operation[], base_url: string): string {
  const tags = [...new Set(operations.map(({ tag }) => tag))];
  return buildPage(
    'Documentation - Marketplace Listing Service',
    html`<h1>Documentation</h1>
      <p>
        Every operation is a REST route and an MCP tool of the same name. REST takes the key in the header
        <code>X-Service-API-Key</code>; MCP is at <code>${base_url}/mcp</code> or over stdio.
      </p>
      <p>
        <a href="#operations">Operations</a> · <a href="#errors">Error codes</a> ·
        <a href="${API_PREFIX}/openapi.json">OpenAPI</a>
      </p>
      <h2 id="operations">Operations</h2>
      ${tags.map(
        (tag) =>
          html`<h3>${tag}</h3>
            <ul>
              ${operations
                .filter((operation) => operation.tag === tag)
                .map(({ id, title }) => html`<li><a href="#${id}">${id}</a>: ${title}</li>`)}
            </ul>`,
      )}
      ${operations.map((operation) => buildOperation(operation, base_url))}
      <h2 id="errors">Error codes</h2>
      <p>
        Every failure has one body:
        <code>{"error": {"code", "status", "message", "hint", "docs"}}</code>. Branch on the code; the message
        is for people and names the field. On status 429, wait the seconds in <code>Retry-After</code>.
      </p>
      ${Object.entries(ERRORS).map(
        ([code, { status, hint }]) =>
          html`<h3 id="${code}"><code>${code}</code> (${status})</h3>
            <p>${hint}</p>`,
      )}`,
  );
}

function buildOperation(operation: Operation, base_url: string): Html {
  const { id, title, description, route, errors } = operation;
  const schema = buildInputSchema(operation);
  const codes = [...new Set([...errors, ...SHARED_ERRORS])];
  return html`<section id="${id}">
    <h3>${title}</h3>
    <p><code>${route.method} ${API_PREFIX}${route.path}</code>, tool <code>${id}</code></p>
    <p>${description}</p>
    ${buildFields(schema)}
    <pre><code>${buildCurl(operation, schema, base_url)}</code></pre>
    <p class="note">
      Errors: ${codes.map((code, index) => html`${index > 0 ? ', ' : ''}<a href="#${code}">${code}</a>`)}
    </p>
  </section>`;
}

function buildFields({ properties, required = [] }: ObjectSchema): Html {
  const fields = Object.entries(properties);
  if (fields.length === 0) return html`<p class="note">Takes nothing.</p>`;
  return html`<table>
    <tr>
      <th>Field</th>
      <th>Type</th>
      <th>What it is</th>
    </tr>
    ${fields.map(
      ([name, field]) =>
        html`<tr>
          <td><code>${name}</code>${required.includes(name) ? ' (required)' : ''}</td>
          <td>${describeType(field)}</td>
          <td>${describeField(field)}</td>
        </tr>`,
    )}
  </table>`;
}

function describeType(field: JsonSchema): string {
  if (Array.isArray(field['enum'])) return field['enum'].join(' | ');
  return typeof field['type'] === 'string' ? field['type'] : 'value';
}

function describeField(field: JsonSchema): string {
  const words = [
    typeof field['description'] === 'string' ? field['description'] : undefined,
    field['default'] === undefined ? undefined : `Default: ${JSON.stringify(field['default'])}`,
  ];
  return words.filter((part) => part !== undefined).join('. ');
}
