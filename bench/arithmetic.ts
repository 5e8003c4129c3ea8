/** Computes the tables of docs/scale.md and docs/operations.md from the measured unit costs. Pure. */
import { type Results, replaceBetween } from './results.ts'

const notificationsADay = 1e9
const secondsADay = 86_400
const peakTimes = 4
const retainedDays = 7
const shards = 16

/** Rounds to two significant digits. */
const reported = (value: number): string =>
  Number(value.toPrecision(2)).toLocaleString('en', { maximumSignificantDigits: 2 })
const milliseconds = (microseconds: number): string => `${reported(microseconds / 1000)} ms`
const rateOf = (value: number): string => `${Number(value.toPrecision(3)).toLocaleString('en')}/s`
const kilobytes = (bytes: number): string => `${reported(bytes / 1000)} KB`

const lineOf = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`

const tableOf = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  [head, head.map(() => '---'), ...rows].map(lineOf).join('\n')

/** Finds a figure of a benchmark by the end of its name. */
function figureOf({ benchmarks }: Results, benchmark: string, what: string): number {
  const row = benchmarks[benchmark]?.rows.find((each) => each.what.endsWith(what))
  if (!row) throw new Error(`${benchmark} has no figure for ${what}`)
  return row.figure
}

function runOf({ benchmarks }: Results, benchmark: string): string {
  const run = benchmarks[benchmark]
  if (!run) throw new Error(`there are no results of ${benchmark}`)
  return `\`npm run bench:${benchmark}${run.quick ? ' -- --quick' : ''}\`, ${run.date}`
}

const unitsOf = (results: Results) => {
  const of = (what: string) => {
    const figure = (part: string): number => figureOf(results, 'units', `${what}: ${part}`)
    return { node: figure('the node'), store: figure('PostgreSQL'), stored: () => stored(figure) }
  }
  const stored = (figure: (part: string) => number) => ({ log: figure('log'), disk: figure('tables and indexes') })
  const [event, telling] = [of('an event is made'), of('it is told to one destination')]
  return {
    read: of('one grant is read'),
    event: { ...event, ...event.stored() },
    telling: { ...telling, ...telling.stored() },
    mailboxKb: figureOf(results, 'memory', 'each further watched mailbox'),
    leaseStatements: figureOf(results, 'simulation', 'nodes: statements of a node for its leases'),
  }
}

function unitCosts(results: Results): string {
  const { read, event, telling, mailboxKb } = unitsOf(results)
  const row = (what: string, { node, store, log, disk }: typeof event): string[] => [
    ...[what, milliseconds(node), milliseconds(store), kilobytes(log), kilobytes(disk)],
  ]
  return `${runOf(results, 'units')}; the mailbox: ${runOf(results, 'memory')}.\n\n${tableOf(
    ['One of each', "Node's processor", "PostgreSQL's processor", 'Write-ahead log', 'Tables and indexes'],
    [
      ['A grant is read', milliseconds(read.node), milliseconds(read.store), '', ''],
      row('An event is made', event),
      row('It is told to one destination, besides', telling),
      ['A watched mailbox at an IMAP server, idle', `${reported(mailboxKb)} KB resident`, '', '', ''],
    ],
  )}`
}

function billion(results: Results): string {
  const { read, telling, mailboxKb, leaseStatements } = unitsOf(results)
  const average = notificationsADay / secondsADay
  const peak = average * peakTimes
  const processors = (microseconds: number, rate: number): string =>
    `${reported((microseconds * rate) / 1e6)} processors`
  const megabytes = (bytes: number, rate: number): string => `${reported((bytes * rate) / 1e6)} MB/s`
  const terabytes = (bytes: number, days: number): string => `${reported((bytes * notificationsADay * days) / 1e12)} TB`
  const table = tableOf(
    [
      'What',
      `On average (${rateOf(average)})`,
      `At the peak (${rateOf(peak)})`,
      `Each of ${shards} shards, at the peak`,
    ],
    [
      [
        `Deliverers, ${milliseconds(telling.node)} each`,
        processors(telling.node, average),
        processors(telling.node, peak),
        '',
      ],
      [
        `PostgreSQL, ${milliseconds(telling.store)} each`,
        processors(telling.store, average),
        processors(telling.store, peak),
        processors(telling.store, peak / shards),
      ],
      [
        `Write-ahead log, ${kilobytes(telling.log)} each`,
        `${megabytes(telling.log, average)}, ${terabytes(telling.log, 1)} a day`,
        megabytes(telling.log, peak),
        megabytes(telling.log, peak / shards),
      ],
      [
        `Tables, ${kilobytes(telling.disk)} each`,
        `${terabytes(telling.disk, 1)} a day`,
        `${terabytes(telling.disk, retainedDays)} for ${retainedDays} days`,
        `${terabytes(telling.disk, retainedDays / shards)} for ${retainedDays} days`,
      ],
    ],
  )
  const leases = leaseStatements * 1000
  return `${table}

- **Watching** ten million grants. Accounts at providers that push cost nothing between changes. Mailboxes at IMAP servers cost memory: at ${reported(mailboxKb)} KB, a million of them take ${reported(mailboxKb)} GB, which is ${reported(mailboxKb / 8)} watchers of 8 GB. Asked every five minutes instead, a million accounts are 3,300 looks a second.
- **Leases.** A thousand watching nodes make ${reported(leases)} statements a second for theirs: at the cost of a read, ${reported((leases * read.store) / 1e6)} of a processor, on whichever machine holds \`watch_shards\` and \`nodes\` (tables of the installation, not of an application).
- **Requests.** A thousand reads of a grant in a second are ${reported(read.node / 1000)} of a processor of the nodes, and ${reported(read.store / 1000)} of PostgreSQL's.
- **A backlog** of one hour in which nobody can be reached is ${reported((average * 3600) / 1e6)} million deliveries and ${reported((average * 3600 * telling.disk) / 1e9)} GB: ordinary on disk, and nothing is held in memory for it.`
}

/** Updates the unit costs and the arithmetic in docs/scale.md. */
export const replaceScale = (document: string, results: Results): string =>
  replaceBetween(replaceBetween(document, 'unit costs', unitCosts(results)), 'arithmetic', billion(results))

/** Updates the machine requirements in docs/operations.md. */
export function replaceSizing(document: string, results: Results): string {
  const rows = results.benchmarks.sizing?.rows ?? []
  const lines = rows
    .filter(({ floor }) => floor !== null)
    .map(({ what, figure, ratio }) => {
      const retained = rows.find((row) => row.what === `${what}, kept`)
      return [what, milliseconds(figure), reported(ratio ?? 0), retained ? kilobytes(retained.figure) : '']
    })
  const head = ['What', 'Processor time of the node', 'Times a bare HTTP server', 'In the store']
  return replaceBetween(document, 'sizing', `${runOf(results, 'sizing')}.\n\n${tableOf(head, lines)}`)
}
