import type { Result } from '@modelcontextprotocol/server';
import type { Outcome } from '../../../core/operations/invoke.js';
import type { Operation } from '../../../core/operations/operation.js';
import { buildInputSchema } from '../../json_schema.js';
import { readParameters } from '../../rest/parameters.js';
import type { Service } from '../../service.js';
import { buildCall } from '../tools/call.js';
import type { Method, RequestContext } from '../method.js';
import { ProtocolError, RPC } from '../protocol_error.js';
import { buildMeta, toReadableAnswer } from '../tools/tool.js';
import { readSkillResource, type Skill } from '../skills.js';
import type { Resource } from './catalog.js';
import { describeResource } from './offered.js';

/**
 * resources/read: the text of a skill, or the result of the resource's operation, called like any other call.
 */
export function createResourceReader(
  offered: readonly Resource[],
  skills: readonly Skill[],
  service: Service,
): Method {
  const readable = offered.map((resource) => {
    const operation = service.tools.find(({ id }) => id === resource.operation_id) as Operation;
    return { ...resource, operation, match: buildMatcher(resource.uri), schema: buildInputSchema(operation) };
  });

  async function read(uri: string, meta: unknown, context: RequestContext): Promise<Result> {
    const skill = readSkillResource(skills, uri);
    if (skill) return skill;
    for (const resource of readable) {
      const given = resource.match(uri);
      if (!given) continue;
      const readInput = () => Promise.resolve(readParameters(resource.schema, given));
      const call = buildCall(context, meta, service.mcp_wait_ms);
      const outcome = await service.invoke(resource.operation, { read: readInput }, call);
      if (!outcome.ok) throw toProtocolFailure(uri, outcome, resource.operation);
      const [{ text }] = toReadableAnswer(outcome, resource.operation).content;
      const { mimeType } = describeResource(resource);
      return {
        _meta: buildMeta(outcome, resource.operation),
        contents: [{ uri, mimeType, text }],
      };
    }
    throw new ProtocolError(RPC.invalid_params, 'There is no such resource.', { data: { uri } });
  }

  return ({ uri, _meta }, context) => {
    if (typeof uri === 'string') return read(uri, _meta, context);
    throw new ProtocolError(RPC.invalid_params, 'resources/read needs params.uri, a string.');
  };
}

/**
 * Builds a function that reads and decodes the parameters in an address of this resource; undefined for any
 * other address.
 */
function buildMatcher(template: string): (uri: string) => Record<string, string> | undefined {
  const pattern = new RegExp(`^${template.replaceAll(/\{(\w+)\}/g, '(?<$1>[^/?#]+)')}$`);
  return (uri) => {
    const found = pattern.exec(uri);
    if (!found) return undefined;
    try {
      const entries = Object.entries(found.groups ?? {});
      return Object.fromEntries(entries.map(([name, text]) => [name, decodeURIComponent(text)]));
    } catch {
      // An address with broken percent-encoding belongs to no resource.
      return undefined;
    }
  };
}

/** A missing resource is the protocol's own error; other errors have the error body of all transports. */
function toProtocolFailure(
  uri: string,
  outcome: Extract<Outcome, { ok: false }>,
  operation: Operation,
): ProtocolError {
  const { error } = outcome;
  const { status, message, hint } = error.error;
  const data = { uri, ...error, ...buildMeta(outcome, operation) };
  if (status === 404) return new ProtocolError(RPC.invalid_params, message, { data });
  const code = status === 400 ? RPC.invalid_params : status === 429 ? RPC.limited : RPC.internal;
  return new ProtocolError(code, `${message} ${hint}`, { data });
}
