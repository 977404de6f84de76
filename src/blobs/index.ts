export { createBlobFolder } from './folder.js';
