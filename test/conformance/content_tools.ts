import { setTimeout as pause } from 'node:timers/promises';
import { isObject } from '../../src/transports/mcp/incoming.js';
import { toText, type FixtureTool } from './tool.js';

/** A red pixel, PNG in base64. */
export const PIXEL =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg==';

/** A WAV file without samples, in base64. */
const SILENCE = 'UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAEAfAAABAAgAZGF0YQAAAAA=';

const resource = (uri: string, mimeType: string, text: string) => ({
  type: 'resource',
  resource: { uri, mimeType, text },
});
const picture = { type: 'image', data: PIXEL, mimeType: 'image/png' };

const SCHEMA_WITH_EVERYTHING = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  type: 'object',
  $defs: {
    address: {
      $anchor: 'addressDef',
      type: 'object',
      properties: { street: { type: 'string' }, city: { type: 'string' } },
    },
  },
  properties: {
    name: { type: 'string' },
    address: { $ref: '#/$defs/address' },
    contactMethod: { type: 'string', enum: ['phone', 'email'] },
    phone: { type: 'string' },
    email: { type: 'string' },
  },
  allOf: [{ anyOf: [{ required: ['phone'] }, { required: ['email'] }] }],
  if: { properties: { contactMethod: { const: 'phone' } }, required: ['contactMethod'] },
  // oxlint-disable-next-line unicorn/no-thenable -- a keyword of JSON Schema
  then: { required: ['phone'] },
  else: { required: ['email'] },
  additionalProperties: false,
};

/** Tools for each kind of content, and for messages before the answer. */
export const CONTENT_TOOLS: Readonly<Record<string, FixtureTool>> = {
  test_simple_text: { run: () => toText('This is a simple text response for testing.') },
  test_image_content: { run: () => ({ content: [picture] }) },
  test_audio_content: {
    run: () => ({ content: [{ type: 'audio', data: SILENCE, mimeType: 'audio/wav' }] }),
  },
  test_embedded_resource: {
    run: () => ({
      content: [resource('test://embedded-resource', 'text/plain', 'This is an embedded resource content.')],
    }),
  },
  test_multiple_content_types: {
    run: () => ({
      content: [
        { type: 'text', text: 'Multiple content types test:' },
        picture,
        resource('test://mixed-content-resource', 'application/json', '{"test":"data","value":123}'),
      ],
    }),
  },
  test_error_handling: {
    run: () => ({ isError: true, ...toText('This tool intentionally returns an error for testing') }),
  },
  test_tool_with_progress: {
    async run(_input, { notify }, { _meta }) {
      const progressToken = isObject(_meta) ? _meta['progressToken'] : undefined;
      for (const progress of [0, 50, 100]) {
        if (progressToken !== undefined)
          notify('notifications/progress', { progressToken, progress, total: 100 });
        await pause(50);
      }
      return toText('done');
    },
  },
  test_tool_with_logging: {
    async run(_input, { notify }) {
      for (const data of ['Tool execution started', 'Tool processing data', 'Tool execution completed']) {
        notify('notifications/message', { level: 'info', data });
        await pause(50);
      }
      return toText('done');
    },
  },
  json_schema_2020_12_tool: { inputSchema: SCHEMA_WITH_EVERYTHING, run: () => toText('done') },
  // A request that names no level gets no log messages.
  test_logging_tool: { run: () => toText('done') },
};
