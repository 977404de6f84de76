export { ASSET_CACHE, buildAsset, ICON, STYLE, type Asset } from './assets.js';
export { Foreign } from './components/foreign.js';
export { Layout, PRODUCT, type LayoutProps } from './layout.js';
export { buildPolicy } from './policy.js';
export { renderPage, renderPart } from './render.js';
