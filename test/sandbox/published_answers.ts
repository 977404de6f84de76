import { Ajv, type ValidateFunction } from 'ajv';
import { isJson, type Json, type OpenApi } from '../published/open_api.js';
import type { Reply } from './harness.js';

type PublishedAnswers = {
  /** The document's answers, over all operations. */
  count: number;
  /** Parts of an answer that differ from the document, one sentence each. */
  findProblems(operation: string, reply: Reply): string[];
};

/** Every documented field must be present, and no other. */
export function readPublishedAnswers(document: OpenApi): PublishedAnswers {
  const ajv = new Ajv({ strict: false, allErrors: true });
  for (const [name, schema] of Object.entries(document.components.schemas)) {
    ajv.addSchema(adaptSchema(schema), `#/components/schemas/${name}`);
  }
  const answers = new Map<string, ValidateFunction | undefined>();
  for (const { operationId, responses } of Object.values(document.paths).flatMap((path) =>
    Object.values(path),
  )) {
    for (const [status, { content }] of Object.entries(responses)) {
      const schema = content?.['application/json']?.schema;
      answers.set(`${operationId} ${status}`, schema && ajv.compile(adaptSchema(schema)));
    }
  }
  return {
    count: answers.size,
    findProblems(operation, { status, body }) {
      const name = `${operation} ${status}`;
      if (!answers.has(name)) return ['the status is not documented'];
      const validate = answers.get(name);
      if (!validate) return body === '' ? [] : ['there is a body where none is documented'];
      validate(body);
      return (validate.errors ?? []).map(({ instancePath, message, params }) => {
        const detail = 'additionalProperty' in params ? ` (${String(params['additionalProperty'])})` : '';
        return `${instancePath} ${message}${detail}`.trim();
      });
    },
  };
}

// OpenAPI 3.0 says nullable where JSON Schema has a null type, and its enums omit the null.
function adaptSchema(schema: Json): Json {
  const { nullable, properties, description: _words, format: _format, default: _default, ...rest } = schema;
  const adapted: Json = Object.fromEntries(
    Object.entries(rest).map(([name, part]) => [name, name === 'enum' ? part : adapt(part)]),
  );
  if (isJson(properties) && Object.keys(properties).length > 0) {
    adapted.properties = Object.fromEntries(
      Object.entries(properties).map(([name, part]) => [name, adapt(part)]),
    );
    // The listing with an inventory is present only on request.
    adapted.required = Object.keys(properties).filter((name) => name !== 'listing');
    adapted.additionalProperties = false;
  }
  return nullable === true ? { anyOf: [{ type: 'null' }, adapted] } : adapted;
}

function adapt(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(adapt);
  return isJson(value) ? adaptSchema(value) : value;
}
