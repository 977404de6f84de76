import type { ShopRef } from '../records.js';

/** What the marketplace knows an application by. The shared secret is never told, logged or shown. */
export type ApplicationKey = { keystring: string; shared_secret: string };

/** An application of the marketplace that an account brings with its shops. */
export type Application = ApplicationKey & {
  /** Signs what the marketplace sends for this application; null where none was given. */
  webhook_secret: string | null;
};

/** Secrets encrypted at rest. An application is there as long as a shop is connected with it. */
export type ApplicationStore = {
  findApplication(account_id: string, keystring: string): Promise<Application | undefined>;
  /** Those it has had longest first. */
  listApplications(account_id: string): Promise<Application[]>;
  /** The one that the shop's tokens were given to; null: the installation's own, or no tokens. */
  findShopApplication(shop: ShopRef): Promise<Application | null>;
  /** Of the applications that some account has connected this shop with. */
  listWebhookSecrets(shop_id: number): Promise<string[]>;
  hasWebhookSecrets(): Promise<boolean>;
};
