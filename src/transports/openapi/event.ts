import type { EventDescription } from '../events.js';
import type { JsonSchema } from '../schema_conversion.js';

/** `OrderPaidEvent` for order.paid. */
export function nameEvent({ type }: EventDescription): string {
  const words = type.split('.').map((word) => word.charAt(0).toUpperCase() + word.slice(1));
  return `${words.join('')}Event`;
}

/** The webhook as OpenAPI has it: the request to the account's own server, and its answers. */
export function buildWebhook(event: EventDescription): JsonSchema {
  const schema = { $ref: `#/components/schemas/${nameEvent(event)}` };
  const examples = { example_1: { summary: event.when, value: event.example } };
  return {
    post: {
      operationId: event.type.replace('.', '_'),
      summary: event.when,
      description:
        'Sent to the destination of webhook_endpoint_set, at least once, signed as Standard Webhooks wants it.',
      tags: ['Webhooks'],
      security: [],
      parameters: SIGNED_HEADERS,
      requestBody: { required: true, content: { 'application/json': { schema, examples } } },
      responses: {
        '2XX': { description: 'It has arrived, and is not sent again' },
        '410': { description: 'Nobody wants events here any more: the destination is switched off' },
        default: { description: 'It has not arrived, and is sent again later' },
      },
    },
  };
}

const SIGNED_HEADERS = [
  {
    name: 'webhook-id',
    description: 'The id of the event, the same in every attempt',
    schema: { type: 'string' },
  },
  {
    name: 'webhook-timestamp',
    description: 'When this attempt was signed, in epoch seconds',
    schema: { type: 'string', pattern: '^\\d+$' },
  },
  {
    name: 'webhook-signature',
    description: 'One `v1,BASE64` for each secret that is good now, separated by spaces',
    schema: { type: 'string' },
  },
].map((header) => ({ ...header, in: 'header', required: true }));
