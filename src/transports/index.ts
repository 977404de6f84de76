export { createConnectFace } from './connect/face.js';
export { createHttpFace, type HttpFace, type HttpFaceOptions } from './http/face.js';
export type { StdioOptions } from './mcp/stdio/lines.js';
export type { Service } from './service.js';
