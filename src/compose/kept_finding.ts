/** Keeps a finding for some time: probes come often, and each check costs something. */
export function keepFinding<Finding>(
  kept_for_ms: number,
  look: () => Promise<Finding>,
): () => Promise<Finding> {
  let found: { finding: Promise<Finding>; at_ms: number } | undefined;
  return () => {
    const now_ms = performance.now();
    if (!found || now_ms - found.at_ms >= kept_for_ms) found = { finding: look(), at_ms: now_ms };
    return found.finding;
  };
}
