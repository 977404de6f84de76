/** The differences of one shop from the listing's request, as a JSON Merge Patch (RFC 7396) over it; undefined where there are none. */
export type OwnChanges = { shop_id: number; changes: Record<string, unknown> | undefined };
