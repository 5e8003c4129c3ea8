/**
 * Nodes of the newest release and of this version run next to each other under load, and replace each other
 * in any order. A next version changes the schema under the nodes of this one.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { checkOutRelease, newestRelease } from '../../releases/checkout.ts'
import type { Outcome, Scenario, Stage } from '../scenario.ts'
import type { Fleet, NodeProgram } from '../upgrade.ts'
import { openFleet } from '../upgrade.ts'

const skipped = (why: string): Outcome => ({ figures: { skipped: why }, broken: [] })

/** Replaces a node of another program than this one; any node if all have it. */
async function replaceOne(fleet: Fleet, { random }: Stage, next: NodeProgram): Promise<void> {
  const others = fleet.members.filter(({ program }) => program !== next)
  const candidates = others.length > 0 ? others : fleet.members
  const member = candidates[Math.floor(random() * candidates.length)]
  if (member) await fleet.replace(member, next, random() < 0.5)
}

/** Starts nodes of the newest release, and replaces them by this sequence of programs. */
async function replaceAll(stage: Stage, sequence: (previous: NodeProgram) => NodeProgram[]): Promise<Outcome> {
  const release = await checkOutRelease(newestRelease())
  if ('missing' in release) return skipped(release.missing)
  const previous: NodeProgram = { file: release.program }
  await using fleet = await openFleet({ databaseUrl: await stage.emptyDatabase(), program: previous, stage })
  for (const [index, next] of sequence(previous).entries()) {
    await replaceOne(fleet, stage, next)
    stage.progress(`replacement ${index + 1}: ${next === previous ? release.version : 'this version'}`)
    // The load goes on for a while with this mixture.
    await sleep(stage.short ? 200 : 1_500)
  }
  return await fleet.conclude()
}

export const rollingUpgrade: Scenario = {
  name: 'rolling-upgrade',
  what: 'three nodes of the newest release are replaced by this version under load, in any order, with steps back',
  run: (stage) =>
    replaceAll(stage, (previous) =>
      stage.short
        ? ['waypost', previous, 'waypost']
        : ['waypost', previous, 'waypost', 'waypost', previous, 'waypost', 'waypost', previous, 'waypost', 'waypost'],
    ),
}

export const rollback: Scenario = {
  name: 'rollback',
  what: 'three nodes are upgraded, all go back to the newest release, and forward again, under load',
  run: (stage) =>
    replaceAll(stage, (previous) => {
      const up: NodeProgram[] = ['waypost', 'waypost', 'waypost']
      return stage.short ? [...up.slice(1), previous, previous] : [...up, previous, previous, previous, ...up]
    }),
}

/** Rows of a table that the next version fills in the background. */
const readings = 100_000

export const schemaChange: Scenario = {
  name: 'schema-change',
  what: 'three nodes are replaced by a next version with columns, indexes, a backfill of 100,000 rows and a removal',
  async run(stage) {
    const databaseUrl = await stage.freshDatabase()
    await using fleet = await openFleet({ databaseUrl, program: 'waypost', stage })
    const client = new pg.Client({ connectionString: databaseUrl })
    await client.connect()
    const rows = stage.short ? 5_000 : readings
    await client.query(`create table readings (id text primary key, amount bigint not null, legacy text);
      insert into readings select 'r' || to_char(n, 'FM0000000'), n from generate_series(1, ${rows}) as n`)
    const states = async (): Promise<string[]> => {
      const { rows: found } = await client.query<{ kind: string; state: string }>(
        'select kind, state from schema_changes where number = 900 order by kind',
      )
      return found.map(({ kind, state }) => `${kind} ${state}`)
    }
    const broken: string[] = []
    for (let index = 0; index < 3; index++) {
      const member = fleet.members[index]
      if (member) await fleet.replace(member, 'next-node', index === 1)
      const isRemoved = (await states()).includes('contract done')
      if (index < 2 && isRemoved) broken.push('the removal did not wait for nodes of this version')
      stage.progress(`replacement ${index + 1}: ${(await states()).join(', ')}`)
    }
    const began = performance.now()
    while (!(await states()).includes('contract done') && performance.now() - began < 240_000) await sleep(200)
    if (!(await states()).includes('contract done')) broken.push(`steps are left: ${(await states()).join(', ')}`)
    const { rows: left } = await client.query(
      'select 1 from readings where doubled is distinct from amount * 2 limit 1',
    )
    if (left.length > 0) broken.push('the backfill left rows out')
    const columns = await client.query(
      "select 1 from pg_attribute where attrelid = 'readings'::regclass and attname = 'legacy'",
    )
    if (columns.rows.length > 0) broken.push('the removal did not happen')
    await client.end()
    const outcome = await fleet.conclude()
    return { figures: { rows, ...outcome.figures }, broken: [...broken, ...outcome.broken] }
  },
}
