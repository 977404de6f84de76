import type { ShopRef } from '../records.js';

/** The credentials of an application of the marketplace. The shared secret is never logged or shown. */
export type ApplicationKey = { keystring: string; shared_secret: string };

/** An application of the marketplace that an account brought for its shops. */
export type Application = ApplicationKey & {
  /** Verifies the marketplace's messages for this application; null if the account gave none. */
  webhook_secret: string | null;
};

/** Secrets are encrypted at rest. An application is kept as long as a shop is connected with it. */
export type ApplicationStore = {
  findApplication(account_id: string, keystring: string): Promise<Application | undefined>;
  /** Oldest first. */
  listApplications(account_id: string): Promise<Application[]>;
  /** The application that the shop's tokens were issued to; null: the installation's own, or no tokens. */
  findShopApplication(shop: ShopRef): Promise<Application | null>;
  /** Webhook secrets of all applications that an account has connected this shop with. */
  listWebhookSecrets(shop_id: number): Promise<string[]>;
  hasWebhookSecrets(): Promise<boolean>;
};
