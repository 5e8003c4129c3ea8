/**
 * Injects faults under load and checks that nothing is lost: see docs/faults.md. Prints figures; ends with 1 if an
 * invariant was violated.
 *
 *   npm run faults [-- --short | --long] [-- --only NAME] [-- --json] [-- --seed N]
 */
import { randomInt } from 'node:crypto'
import { parseArgs } from 'node:util'
import { type PostgresPeer, startPostgres } from '@waypost/testing/peers/postgres'
import { type Outcome, rounded, type Scenario, seeded } from './scenario.ts'
import { scenarios } from './scenarios.ts'

const { values } = parseArgs({
  options: {
    short: { type: 'boolean', default: false },
    long: { type: 'boolean', default: false },
    json: { type: 'boolean', default: false },
    only: { type: 'string', multiple: true },
    seed: { type: 'string' },
  },
})
const seed = values.seed === undefined ? randomInt(1_000_000) : Number(values.seed)
const unknown = values.only?.filter((name) => !scenarios.some((scenario) => scenario.name === name)) ?? []
if (unknown.length > 0 || !Number.isInteger(seed)) {
  const names = scenarios.map(({ name }) => name).join(', ')
  console.error(unknown.length > 0 ? `no such scenario: ${unknown[0]}. There are: ${names}` : '--seed takes a number')
  process.exit(2)
}

// The children end with the runner in any case; this is for users at a terminal.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(130))

const say = (text: string): void => {
  if (!values.json) console.error(text)
}

async function runOne(scenario: Scenario, postgres: PostgresPeer): Promise<Outcome> {
  say(`\n${scenario.name}: ${scenario.what}`)
  const started = performance.now()
  const outcome = await scenario
    .run({
      short: values.short,
      long: values.long,
      timed: true,
      random: seeded(seed),
      freshDatabase: () => postgres.createDatabase(),
      emptyDatabase: () => postgres.createDatabase(),
      progress: (text) => say(`  … ${text}`),
    })
    .catch(
      (error): Outcome => ({ figures: {}, broken: [error instanceof Error ? (error.stack ?? '') : String(error)] }),
    )
  const took = rounded((performance.now() - started) / 1000)
  for (const [name, value] of Object.entries(outcome.figures)) say(`  ${name.padEnd(28)} ${value}`)
  for (const each of outcome.broken) say(`  BROKEN: ${each}`)
  say(`  ${outcome.broken.length === 0 ? 'holds' : 'does not hold'} (${took} s)`)
  return { ...outcome, figures: { ...outcome.figures, 'took, s': took } }
}

say(`seed ${seed}`)
const outcomes: Record<string, Outcome> = {}
{
  await using postgres = await startPostgres()
  for (const scenario of scenarios) {
    if (values.only && !values.only.includes(scenario.name)) continue
    outcomes[scenario.name] = await runOne(scenario, postgres)
  }
}
if (values.json) console.log(JSON.stringify({ seed, outcomes }))
else {
  const common = ['accepted', 'deliveries', 'lost', 'extra', 'extra at most', 'took, s']
  console.table(
    Object.fromEntries(
      Object.entries(outcomes).map(([name, { figures, broken }]) => [
        name,
        {
          ...Object.fromEntries(common.map((figure) => [figure, figures[figure] ?? ''])),
          holds: broken.length === 0 ? 'yes' : 'NO',
        },
      ]),
    ),
  )
}
process.exitCode = Object.values(outcomes).some(({ broken }) => broken.length > 0) ? 1 : 0
