/* Replaces a module of the MCP SDK in the bundle. The SDK's own module loads Ajv, as the default for a
   validator that transports/mcp/server.ts passes itself: 290 KB that every start would parse. */
export { default as process } from 'node:process';

export function DefaultJsonSchemaValidator() {
  throw new Error('The bundle has no default validator for JSON Schema. Pass one to the server.');
}
