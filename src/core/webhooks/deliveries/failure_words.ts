const WORDS: Readonly<Record<string, string>> = {
  timeout: 'The receiver did not answer within 15 seconds.',
  connection_lost: 'The connection broke before the receiver answered.',
  connect: 'No connection could be made to the receiver.',
  dns: 'The receiver’s name could not be found.',
  blocked_address: 'The address leads into a private network, where nothing is sent to.',
  invalid_url: 'The address cannot be sent to.',
  redirect_not_followed: 'The receiver pointed elsewhere; set the destination to where it points.',
  interrupted: 'The service stopped while it was being sent.',
  cancelled_endpoint_deleted: 'Not sent: the destination was removed.',
  cancelled_endpoint_disabled: 'Not sent: the destination was switched off.',
  cancelled_delivered: 'Not sent: the event had arrived by then.',
};

/** Why a delivery failed, in a sentence. @param error its class, as webhooks_deliveries returns it */
export function describeFailure(error: string): string {
  const status = /^status_(\d{3})$/.exec(error)?.[1];
  if (status !== undefined) return `The receiver answered ${status}; only 200 to 299 counts as received.`;
  return WORDS[error] ?? error;
}

/** Adds a sentence to the class of the error, if there is one. */
export function withReason<Failed extends { error: string | null }>(
  failed: Failed,
): Failed & { reason?: string } {
  return failed.error === null ? failed : { ...failed, reason: describeFailure(failed.error) };
}
