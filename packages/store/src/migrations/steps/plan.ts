/** What a migration would do: the steps that are left, their locks, and what they wait for. It changes nothing. */
import { isOlder } from '@waypost/platform/versions'
import type { Database } from '../../engine/database.ts'
import { nodeLeaseMs, type SeenNode, seenNodes } from '../../tables/applications/nodes.ts'
import { compatibleFrom, type PlannedStep, type RecordedStep, stepsOf } from '../recorded-steps.ts'
import { type LockMode, type SchemaChange, type Step, splitSteps, type TableLocks } from '../schema-change.ts'
import { isPartitioned } from './build-index.ts'

export interface PlannedLock {
  table: string
  mode: LockMode
  /** What others cannot do with the table meanwhile. */
  blocks: 'reads and writes' | 'writes' | 'nothing'
}

export interface PlanItem {
  change: number
  name: string
  /** The version that brings the change. */
  version: string
  step: string
  kind: Step['kind']
  state: 'missing' | 'waiting' | 'running'
  runs: 'before a node serves' | 'in the background'
  locks: PlannedLock[]
  /** Whether nodes of the versions that run now may keep running. */
  old_nodes_keep_running: boolean
  /** What the step waits for now, in words. */
  waits_for: string[]
  done_rows: number
  total_rows: number
}

const blocking: Partial<Record<LockMode, PlannedLock['blocks']>> = {
  share: 'writes',
  'share row exclusive': 'writes',
  exclusive: 'writes',
  'access exclusive': 'reads and writes',
}
export const lockOf = (table: string, mode: LockMode): PlannedLock => ({
  table,
  mode,
  blocks: blocking[mode] ?? 'nothing',
})

/** The locks of a step on PostgreSQL. Those that block others are held for the time of one short statement. */
export async function locksOf(database: Database, step: Step): Promise<PlannedLock[]> {
  if (database.engine === 'sqlite') return []
  return Object.entries(await declaredLocks(database, step)).map(([table, mode]) => lockOf(table, mode))
}

async function declaredLocks(database: Database, step: Step): Promise<TableLocks> {
  if (step.kind === 'backfill') return { [step.table]: 'row exclusive' }
  if (step.kind !== 'index') return step.locks
  // The index of a partitioned table is declared first, without its rows.
  return { [step.table]: (await isPartitioned(database, step.table)) ? 'share' : 'share update exclusive' }
}

/** The live nodes, whose versions decide what may run. */
export const liveVersions = async (database: Database, now: number): Promise<SeenNode[]> =>
  (await seenNodes(database)).filter(({ seen_at }) => seen_at >= now - nodeLeaseMs)

const nameOf = ({ host, id, version }: SeenNode): string => `${host || id} (${version || 'unknown version'})`

/** The steps that are left, in their order. */
export async function planSteps(
  database: Database,
  changes: readonly SchemaChange[],
  recorded: readonly RecordedStep[],
): Promise<PlanItem[]> {
  const now = await database.now()
  const nodes = await liveVersions(database, now)
  const items: PlanItem[] = []
  for (const planned of stepsOf(changes, database.engine)) {
    const row = recorded.find(({ number, step }) => number === planned.change.number && step === planned.step.name)
    if (row?.state !== 'done') items.push(await itemOf(database, planned, { row, nodes, now }))
  }
  return items
}

async function itemOf(
  database: Database,
  planned: PlannedStep,
  { row, nodes, now }: { row: RecordedStep | undefined; nodes: readonly SeenNode[]; now: number },
): Promise<PlanItem> {
  const { change, step } = planned
  const isFirst = splitSteps(change.steps(database.engine)).first.some(({ name }) => name === step.name)
  const isAtStart = isFirst || (database.engine === 'sqlite' && step.kind !== 'contract')
  const older = nodes.filter(({ version }) => isOlder(version, compatibleFrom(planned)))
  const isLeased = row?.state === 'running' && (row.leased_until ?? 0) >= now
  return {
    change: change.number,
    name: change.name,
    version: change.version,
    step: step.name,
    kind: step.kind,
    state: row?.state === 'running' || row?.state === 'waiting' ? row.state : 'missing',
    runs: isAtStart ? 'before a node serves' : 'in the background',
    locks: await locksOf(database, step),
    // A contract step waits for older nodes instead of harming them.
    old_nodes_keep_running: older.length === 0 || step.kind === 'contract',
    waits_for: [
      ...(isLeased ? [`${row.runner}, which works on it`] : []),
      ...(step.kind === 'contract' ? older.map((node) => `the end of the older node ${nameOf(node)}`) : []),
    ],
    done_rows: row?.done_rows ?? 0,
    total_rows: row?.total_rows ?? 0,
  }
}
