export type OnceMore = {
  /** Like fetch, with one retry if the instance was stopping. */
  fetch: (url: string | URL, init?: RequestInit) => Promise<Response>;
  /** The number of requests sent a second time. */
  countRetried(): number;
};

/** Does what callers of several instances must do: repeats once a request that an instance no longer accepted. */
export function createOnceMore(): OnceMore {
  let retried = 0;
  return {
    countRetried: () => retried,
    async fetch(url, init) {
      const answer = await fetch(url, init).catch((cause: unknown) => {
        if (!isGone(cause)) throw cause;
      });
      if (answer && answer.status !== 503) return answer;
      await answer?.body?.cancel();
      retried += 1;
      return fetch(url, init);
    },
  };
}

const GONE = new Set(['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET']);

function isGone(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const { code, cause } = error as Error & { code?: string };
  return (code !== undefined && GONE.has(code)) || isGone(cause);
}
