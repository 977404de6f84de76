import { STYLE, ICON } from '../../pages/index.js';
import { addAssets } from '../http/assets.js';
import { listenOn, type HttpFace, type HttpFaceOptions } from '../http/face.js';
import { buildHttpServer } from '../http/server.js';
import type { Service } from '../service.js';
import { addConnectRoutes } from './routes.js';

/** Serves only the pages that a seller returns to from the marketplace, while no server is running. */
export async function createConnectFace(service: Service, options: HttpFaceOptions): Promise<HttpFace> {
  const server = buildHttpServer(service, options);
  addAssets(server, [STYLE, ICON]);
  addConnectRoutes(server, service);
  return listenOn(server, options);
}
