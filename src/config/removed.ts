/** Removed settings, each with what to do instead. */
const REMOVED: Readonly<Record<string, string>> = {
  ORDER_POLL: 'To stop the polls, set ORDER_POLL_SECONDS=off.',
  SHOP_KEYSTRING: 'Use connect --keystring.',
  SHOP_SHARED_SECRET: 'Use connect --secret-file.',
  SHOP_WEBHOOK_SECRET: 'Use connect --webhook-secret-file.',
  ...Object.fromEntries(
    [
      'KEEP_DELIVERIES_DAYS',
      'KEEP_ORDERS_DAYS',
      'KEEP_PLANS_DAYS',
      'MAX_BODIES_MB',
      'MAX_CONNECTIONS',
      'MAX_DRAFTS',
      'MAX_DRAFTS_MB',
      'MAX_FETCHES',
      'MAX_UPLOADS_MB',
      'MIN_FREE_DISK_MB',
    ].map((variable) => [variable, 'The limit is fixed.']),
  ),
};

/** A sentence for each environment setting that is no longer read. */
export function listRemoved(environment: Readonly<Record<string, string | undefined>>): string[] {
  return Object.entries(REMOVED).flatMap(([variable, remedy]) =>
    environment[variable] ? [`${variable} is no longer a setting and has no effect. ${remedy}`] : [],
  );
}
