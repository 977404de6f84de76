export { ASSET_CACHE, buildAsset, ICON, STYLE, type Asset } from './assets.js';
export { Foreign } from './components/foreign.js';
export { Layout, PRODUCT, type LayoutProps } from './layout.js';
export { buildPolicy } from './policy.js';
export { renderPage, renderPart } from './render.js';
export { scriptPath, SCRIPTS } from './scripts.js';
export type { FormFile, PageForm, PageRequest, PageResponse, Site } from './site.js';
export { createSessionCookie, type SessionCookie } from './session_cookie.js';
