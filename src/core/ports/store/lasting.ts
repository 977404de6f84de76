/**
 * A row to create that expires after `life_ms`. The store stamps it, and later decides whether it has
 * expired. Both use the time that all processes on the database share, since their own clocks differ.
 */
export type Lasting<Row> = Omit<Row, 'created_at' | 'expires_at'> & { life_ms: number };
