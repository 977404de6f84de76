export { createConnectFace } from './connect/face.js';
export { createHttpFace, type HttpFace, type HttpFaceOptions } from './http/face.js';
export type { Service } from './service.js';
