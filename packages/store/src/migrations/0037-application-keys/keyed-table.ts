/** A table of tenant data before its keys contained the application. */
export interface KeyedTable {
  name: string
  /** The columns, for SQLite, which can change a key only by creating the table again. */
  columns: string
  /** The columns of the primary key without the application, which becomes the last one. */
  key: string
  /** If the rows did not contain their application: the expression that finds it. */
  application?: string
  /** Unique keys across applications. The application becomes the last column of each. */
  unique?: readonly UniqueKey[]
  /** Unique keys that already contain the application. */
  uniqueAlready?: readonly string[]
  /** The parent with which a row is deleted: by the same columns and the application. */
  parent?: { columns: string; table: string; key: string }
  /** Indexes that stay the same. */
  indexes?: readonly string[]
}

export interface UniqueKey {
  name: string
  columns: string
  where?: string
  /** The constraint on PostgreSQL that the key was before, if it was not an index. */
  former?: string
}
