/** Caches a finding for some time: probes are frequent, and each check has a cost. */
export function keepFinding<Finding>(
  kept_for_ms: number,
  check: () => Promise<Finding>,
): () => Promise<Finding> {
  let found: { finding: Promise<Finding>; at_ms: number } | undefined;
  return () => {
    const now_ms = performance.now();
    if (!found || now_ms - found.at_ms >= kept_for_ms) found = { finding: check(), at_ms: now_ms };
    return found.finding;
  };
}
