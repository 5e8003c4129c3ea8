/** `waypost db migrate`, and its plan. */

import { version } from '@waypost/platform/versions'
import { connectionProblem } from '@waypost/store/engine/connection-problem'
import type { Database } from '@waypost/store/engine/database'
import { baselineName } from '@waypost/store/migrations/baseline'
import { changes } from '@waypost/store/migrations/changes'
import { schemaProblem } from '@waypost/store/migrations/compatibility'
import { migrate, storedSchema } from '@waypost/store/migrations/migrate'
import { type PlanItem, planSteps } from '@waypost/store/migrations/steps/plan'
import { describeProgress, type Report } from '@waypost/store/migrations/steps/progress'
import { hasInstallation } from '../applications/first-start.ts'
import { type Config, type ConfigSecrets, readConfig } from '../config.ts'
import { openForCommand } from './open-store.ts'
import type { PlainRun } from './program/command.ts'
import { type Output, printObject, printRows, type Terminal } from './program/output.ts'
import { needStore, openStore } from './store-place.ts'

/**
 * Migrates the store to the current schema, including the steps that a node runs in the background. An empty PostgreSQL
 * database gets its tables, so that a deployment can run this before its first node; that node still creates the
 * first application and prints its key.
 */
export const dbMigrate: PlainRun = async ({ terminal, args, output }) => {
  const { config, secrets } = readConfig(terminal.env)
  needStore(config, secrets)
  if (args.options.plan === true) return showPlan(config, secrets, output)
  const report = showProgress(output)
  const { engine, applied, waiting, isEmpty } =
    (await migrateEmpty(config, secrets, report)) ?? (await migrateInstallation(terminal.env, report))
  printObject(output, {
    store: engine,
    applied: applied.length > 0 ? applied.join(', ') : 'nothing to do',
    ...(waiting.length > 0 ? { waiting: waiting.join(', ') } : {}),
  })
  if (isEmpty)
    output.progress('The tables are ready. "waypost serve" creates the first application and prints its key.')
  if (waiting.length > 0) output.progress('Nodes run the waiting steps by themselves once no older node is left.')
  return 0
}

/** Prints each state once. */
function showProgress(output: Output): Report {
  let last = ''
  return (progress) => {
    const text = describeProgress(progress)
    if (text !== last) output.progress(text)
    last = text
  }
}

interface Migrated {
  engine: Database['engine']
  applied: readonly string[]
  /** Steps that wait for older nodes to end. */
  waiting: readonly string[]
  /** There is no installation yet: no key, no application. */
  isEmpty: boolean
}

async function migrateInstallation(env: Terminal['env'], report: Report): Promise<Migrated> {
  await using services = await openForCommand(env, { schema: { report } })
  const { done, waiting } = await services.storage.schemaWork.finish(new AbortController().signal)
  return {
    engine: services.storage.database.engine,
    applied: [...new Set([...services.storage.migrated, ...done.map(({ change }) => change.name)])],
    waiting: waiting.map(({ change, step }) => `${change.number} ${step.name}`),
    isEmpty: false,
  }
}

/** Creates the tables of a PostgreSQL database without an installation; undefined if there is one. */
async function migrateEmpty(config: Config, secrets: ConfigSecrets, report: Report): Promise<Migrated | undefined> {
  if (secrets.databaseUrl === undefined) return undefined
  return onStore(config, secrets, async (database) => {
    const now = await database.now()
    if (await hasInstallation(database)) return undefined
    return { engine: database.engine, applied: await migrate(database, now, { report }), waiting: [], isEmpty: true }
  })
}

async function onStore<T>(
  config: Config,
  secrets: ConfigSecrets,
  work: (database: Database) => Promise<T>,
): Promise<T> {
  const { databaseUrl, directDatabaseUrl } = secrets
  await using database = await openStore(config, databaseUrl, directDatabaseUrl)
  try {
    return await work(database)
  } catch (error) {
    throw connectionProblem(error, databaseUrl)
  }
}

/** Prints what a migration would do. */
const showPlan = (config: Config, secrets: ConfigSecrets, output: Output): Promise<number> =>
  onStore(config, secrets, async (database) => {
    // Fails if the store cannot be reached. Without tables it is empty.
    await database.now()
    const schema = await storedSchema(database)
    const problem = schema && schemaProblem(schema, { version, changes })
    if (problem !== undefined) throw new Error(problem)
    const isEmpty = schema === undefined
    const steps = isEmpty ? [] : await planSteps(database, changes, schema.steps)
    if (output.json) {
      const plan = {
        store: database.engine,
        version,
        is_empty: isEmpty,
        migrations: isEmpty ? [baselineName] : [],
        steps,
      }
      output.write(JSON.stringify({ ...plan, old_nodes_keep_running: keepRunning(steps) }))
    } else printPlan(output, { isEmpty, steps })
    return 0
  })

const keepRunning = (steps: readonly PlanItem[]): boolean => steps.every((step) => step.old_nodes_keep_running)

function printPlan(output: Output, { isEmpty, steps }: { isEmpty: boolean; steps: readonly PlanItem[] }): void {
  if (isEmpty) {
    output.write('The store is empty: all tables are created in one transaction. No node can be running.')
    return
  }
  const columns = ['change', 'step', 'kind', 'runs', 'locks', 'blocks', 'state', 'waits_for']
  const rows = steps.map((item) => ({
    change: `${item.change} ${item.name}`,
    step: item.step,
    kind: item.kind,
    runs: item.runs,
    state: item.state,
    locks: item.locks.map(({ table, mode }) => `${table}: ${mode}`).join(', ') || 'none',
    blocks: item.locks.map(({ table, blocks }) => `${table}: ${blocks}`).join(', ') || 'nothing',
    waits_for: item.waits_for.join(', ') || '-',
  }))
  printRows(output, rows, columns, 'nothing to do')
  if (steps.length === 0) return
  output.write(
    keepRunning(steps)
      ? 'Nodes that run now may keep running.'
      : 'Stop the nodes that run now: they are too old for these steps.',
  )
}
