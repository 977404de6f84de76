/**
 * A row that is to be created and to expire after `life_ms`. The store stamps it, and judges later whether it has expired, both by
 * the time that all processes on the database share: their own clocks differ.
 */
export type Lasting<Row> = Omit<Row, 'created_at' | 'expires_at'> & { life_ms: number };
