export { backupDatabase } from './backup.js';
export { inspectFolder, type FolderInspection, type InspectedShop } from './inspect.js';
export { openStore, type OpenStoreOptions } from './open_store.js';
export { StoreError } from './store_error.js';
