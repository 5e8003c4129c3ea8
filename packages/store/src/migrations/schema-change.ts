/**
 * A change of the schema, from number 48 on. Nodes of the previous release keep running while it is applied, and one
 * can step back to that release, so a change consists of steps that both versions can live with (docs/adr/0033).
 *
 * | Step | Does | Runs |
 * |---|---|---|
 * | expand | short DDL that only adds: tables, columns that are nullable or have a default | before the node serves |
 * | index | builds one index while rows are written | before the node serves, or after a backfill in the background |
 * | backfill | fills new columns or tables, in batches | in the background, on one node at a time |
 * | contract | removes what no supported version uses | in the background, once no older node is alive |
 */
import type { Engine, Queries } from '../engine/database.ts'

/** Lock modes of PostgreSQL on tables, as `pg_locks` names them in other words (`AccessExclusiveLock`). */
export const lockModes = [
  'access share',
  'row share',
  'row exclusive',
  'share update exclusive',
  'share',
  'share row exclusive',
  'exclusive',
  'access exclusive',
] as const
export type LockMode = (typeof lockModes)[number]

/** The strongest lock that a step takes on each existing table. Tables that the step creates are not listed. */
export type TableLocks = Readonly<Record<string, LockMode>>

export interface ExpandStep {
  readonly kind: 'expand'
  /** Unique within the change. */
  readonly name: string
  /** One or more statements, which run in one transaction. */
  readonly text: string
  readonly locks: TableLocks
}

export interface IndexStep {
  readonly kind: 'index'
  /** The name of the index. */
  readonly name: string
  readonly table: string
  /** What follows the table: the columns in parentheses, and a condition if there is one. */
  readonly on: string
  readonly unique: boolean
}

/** The rows that a batch has changed, and where the next one goes on. */
export interface BatchResult {
  readonly after: string
  readonly rows: number
}

export interface BackfillStep {
  readonly kind: 'backfill'
  readonly name: string
  /** The table whose rows it goes through. */
  readonly table: string
  /** The number of rows to go through, for the progress; an estimate is enough. */
  total(queries: Queries): Promise<number>
  /**
   * Changes the next few hundred rows behind `after`, in the order of a key. Returns undefined when none is left. The
   * batch and its progress are one transaction.
   */
  batch(tx: Queries, after: string | undefined): Promise<BatchResult | undefined>
}

export interface ContractStep {
  readonly kind: 'contract'
  readonly name: string
  readonly text: string
  readonly locks: TableLocks
  /** The first version that no longer uses what the step removes. Older nodes can no longer run afterwards. */
  readonly unusedSince: string
}

export const stepKinds = ['expand', 'index', 'backfill', 'contract'] as const

export type Step = ExpandStep | IndexStep | BackfillStep | ContractStep

export interface SchemaChange {
  readonly number: number
  readonly name: string
  /** The version that brings the change. */
  readonly version: string
  /** The oldest version whose nodes work before, during and after all steps except `contract`. */
  readonly compatibleFrom: string
  /** In the order in which they run. */
  steps(engine: Engine): readonly Step[]
}

/** Short DDL that only adds. Declare the strongest lock on each existing table that it touches. */
export const expand = (name: string, text: string, locks: TableLocks = {}): ExpandStep => ({
  kind: 'expand',
  name,
  text,
  locks,
})

/** An index, such as `index('sends_by_state', 'sends', '(application_id, state)')`. */
export const index = (name: string, table: string, on: string): IndexStep => ({
  kind: 'index',
  name,
  table,
  on,
  unique: false,
})

export const uniqueIndex = (name: string, table: string, on: string): IndexStep => ({
  kind: 'index',
  name,
  table,
  on,
  unique: true,
})

export const backfill = (name: string, step: Omit<BackfillStep, 'kind' | 'name'>): BackfillStep => ({
  ...step,
  kind: 'backfill',
  name,
})

export const contract = (name: string, step: Omit<ContractStep, 'kind' | 'name'>): ContractStep => ({
  ...step,
  kind: 'contract',
  name,
})

/** The statement that builds an index while nothing else uses the table. */
export const createIndex = ({ name, table, on, unique }: IndexStep): string =>
  `create ${unique ? 'unique ' : ''}index ${name} on ${table} ${on}`

/**
 * The steps that run before a node serves, and those that run in the background: from the first backfill or contract
 * step on.
 */
export function splitSteps(steps: readonly Step[]): { first: readonly Step[]; later: readonly Step[] } {
  const at = steps.findIndex(({ kind }) => kind === 'backfill' || kind === 'contract')
  return at < 0 ? { first: steps, later: [] } : { first: steps.slice(0, at), later: steps.slice(at) }
}
