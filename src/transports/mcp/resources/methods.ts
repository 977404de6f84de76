import type { Result } from '@modelcontextprotocol/sdk/types.js';
import type { Outcome } from '../../../core/invoke.js';
import { buildInputSchema } from '../../json_schema.js';
import { readParameters } from '../../rest/parameters.js';
import type { Service } from '../../service.js';
import { buildCall } from '../call.js';
import { keepText } from '../message_text.js';
import type { Method, RequestContext } from '../methods.js';
import { ProtocolError, RPC } from '../protocol_error.js';
import { buildMeta, toJsonForReaders } from '../tool.js';
import { listOffered, type OfferedResource } from './offered.js';

const MIME = 'application/json';

/** None when there is nothing to read. Reading is a call of the resource's operation, with all that belongs to that. */
export function createResourceMethods(service: Service): [string, Method][] {
  const offered = listOffered(service.tools).map((resource) => ({
    ...resource,
    schema: buildInputSchema(resource.operation),
  }));
  if (offered.length === 0) return [];
  // Shops, listings and jobs are not listed one by one: that would cost calls each time an assistant starts.
  const list: Result = {
    resources: offered
      .filter((each) => !hasParameters(each))
      .map((each) => ({ uri: each.uri, ...describe(each) })),
  };
  const templates: Result = {
    resourceTemplates: offered
      .filter(hasParameters)
      .map((each) => ({ uriTemplate: each.uri, ...describe(each) })),
  };
  keepText(list);
  keepText(templates);

  async function read(uri: string, meta: unknown, context: RequestContext): Promise<Result> {
    for (const resource of offered) {
      const given = resource.match(uri);
      if (!given) continue;
      const readInput = () => Promise.resolve(readParameters(resource.schema, given));
      const call = buildCall(context, meta, service.mcp_wait_ms);
      const outcome = await service.invoke(resource.operation, { read: readInput }, call);
      if (!outcome.ok) throw toProtocolFailure(uri, outcome);
      return {
        ...buildMeta(outcome),
        contents: [{ uri, mimeType: MIME, text: toJsonForReaders(outcome.output) }],
      };
    }
    throw new ProtocolError(RPC.resource_not_found, 'There is no such resource.', { data: { uri } });
  }

  return [
    ['resources/list', () => list],
    ['resources/templates/list', () => templates],
    [
      'resources/read',
      ({ uri, _meta }, context) => {
        if (typeof uri === 'string') return read(uri, _meta, context);
        throw new ProtocolError(RPC.invalid_params, 'resources/read needs params.uri, a string.');
      },
    ],
  ];
}

function hasParameters({ uri }: OfferedResource): boolean {
  return uri.includes('{');
}

function describe({ name, title, description }: OfferedResource) {
  return { name, title, description, mimeType: MIME };
}

/** What is not there is so in the protocol's way; anything else is told with the error body of all other faces. */
function toProtocolFailure(uri: string, { error }: Extract<Outcome, { ok: false }>): ProtocolError {
  const { status, message, hint } = error.error;
  const data = { uri, ...error };
  if (status === 404) return new ProtocolError(RPC.resource_not_found, message, { data });
  const code = status === 400 ? RPC.invalid_params : RPC.internal;
  return new ProtocolError(code, `${message} ${hint}`, { data });
}
