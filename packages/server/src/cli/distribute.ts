/** `waypost db distribute`: a store on PostgreSQL becomes one that Citus distributes over several servers. */

import { connectionProblem } from '@waypost/store/engine/connection-problem'
import type { Database } from '@waypost/store/engine/database'
import { UnusableStore } from '@waypost/store/engine/sqlite-file'
import { migrate } from '@waypost/store/migrations/migrate'
import { type DistributionStep, distribute } from '@waypost/store/sharding/distribute'
import { type DistributionPlan, planDistribution } from '@waypost/store/sharding/distribution-plan'
import { readConfig } from '../config.ts'
import { numberOption, type PlainRun } from './program/command.ts'
import { type Output, printObject, printRows } from './program/output.ts'
import { needStore, openStore } from './store-place.ts'

export const dbDistribute: PlainRun = async ({ terminal, args, output }) => {
  const { config, secrets } = readConfig(terminal.env)
  needStore(config, secrets)
  // Steps take minutes and must not be handed from one connection to another.
  const url = secrets.directDatabaseUrl ?? secrets.databaseUrl
  try {
    await using database = await openStore(config, url)
    const now = await database.now()
    const plan = await planDistribution(database, now)
    if (args.options.plan === true) return printPlan(output, plan)
    const [problem, ...others] = plan.problems
    if (problem !== undefined) throw new UnusableStore(problem, others.join('; ') || 'then run this command again')
    for (const warning of plan.warnings) output.progress(warning)
    return await run(database, { now, shards: numberOption(args, 'shards'), output })
  } catch (error) {
    throw connectionProblem(error, url)
  }
}

function printPlan(output: Output, plan: DistributionPlan): number {
  if (output.json) {
    output.write(JSON.stringify(plan))
    return plan.problems.length > 0 ? 1 : 0
  }
  printRows(output, plan.steps, ['table', 'placement', 'rows', 'bytes', 'blocked'], 'nothing to do')
  for (const problem of plan.problems) output.progress(`problem: ${problem}`)
  for (const warning of plan.warnings) output.progress(`note: ${warning}`)
  return plan.problems.length > 0 ? 1 : 0
}

async function run(
  database: Database,
  { now, shards, output }: { now: number; shards: number; output: Output },
): Promise<number> {
  await migrate(database, now)
  const steps: DistributionStep[] = []
  const onStep = (step: DistributionStep): void => {
    steps.push(step)
    output.progress(`${step.what}${step.table && ` ${step.table}`}${step.rows > 0 ? `, ${step.rows} rows` : ''}`)
  }
  await distribute(database, { shards, onStep })
  const placed = steps.filter(({ table }) => table !== '')
  printObject(output, {
    distributed: true,
    tables: placed.length,
    rows: placed.reduce((sum, { rows }) => sum + rows, 0),
  })
  output.progress('The store is distributed. Start the nodes.')
  return 0
}
