export * from './listing_store.js';
export * from './marketplace.js';
export * from './media.js';
export * from './receipt.js';
export * from './session_store.js';
export * from './store.js';
export * from './webhook_sender.js';
export * from './world.js';
