/** A table of the tenants before its keys name the application. */
export interface KeyedTable {
  name: string
  /** Its columns, for SQLite, which changes a key only by making the table anew. */
  columns: string
  /** The columns of the primary key without the application, which becomes its last. */
  key: string
  /** Where its rows did not say their application so far: what does. */
  application?: string
  /** Unique keys that held across applications: the application becomes the last column of each. */
  unique?: readonly UniqueKey[]
  /** Unique keys that name the application already. */
  uniqueAlready?: readonly string[]
  /** What a row goes with when it is removed: by the same columns and the application. */
  parent?: { columns: string; table: string; key: string }
  /** Indexes that stay as they are. */
  indexes?: readonly string[]
}

export interface UniqueKey {
  name: string
  columns: string
  where?: string
  /** The constraint that it was on PostgreSQL, where it was none with a name of its own. */
  former?: string
}
