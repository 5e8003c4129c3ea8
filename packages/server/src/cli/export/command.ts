/** `waypost grants export`: accounts as files in a folder, one account after the other. */
import path from 'node:path'
import type { Grant } from '@waypost/contract'
import { type GrantPosition, readGrantPage } from '@waypost/store/tables/grants/grant-pages'
import { findGrant, type GrantRecord } from '@waypost/store/tables/grants/grants'
import type { ExportedAccount } from '../../exports/account.ts'
import type { BuiltServices } from '../../services/services.ts'
import { noteCommand } from '../audit.ts'
import { findApplication, findNamedGrant } from '../named.ts'
import { type Arguments, type StoreRun, textOption, timeOption, UsageError } from '../program/command.ts'
import { type Output, printObject, printRows } from '../program/output.ts'
import { type ExportChoice, exportTasks, type Format, isDisk, type Kind, reasonOf, tasksOf } from './account-export.ts'
import { makeFolder, type Position, readPosition, savePosition, type Task } from './position.ts'

const kinds: readonly Kind[] = ['mail', 'calendar', 'contacts']
/** The formats of each kind; the first is the default. */
const formatsOf: Readonly<Record<Kind, readonly Format[]>> = {
  mail: ['mbox', 'eml', 'ndjson'],
  calendar: ['ics', 'ndjson'],
  contacts: ['vcf', 'ndjson'],
}
const progressEveryMs = 2_000

interface Exported extends Record<string, unknown> {
  grant_id: string
  email: string
  /** `incomplete`: all was read, but the files lack some objects. */
  status: 'complete' | 'incomplete' | 'failed'
  messages: number
  events: number
  contacts: number
  skipped: number
  left_out: string[]
  problems: string[]
}

class ExportFailed extends Error {}

export const grantsExport: StoreRun = async (services, args, output) => {
  const choice = choiceOf(args)
  const out = textOption(args, 'out')
  if (out === undefined) throw new UsageError('--out FOLDER is missing', 'grants export')
  const { id: applicationId } = await findApplication(services, args)
  const results: Exported[] = []
  for await (const grant of grantsOf(services, applicationId, args)) {
    results.push(await exportOne({ services, applicationId, grant, choice, out, args, output }))
  }
  printSummary(output, path.resolve(out), results)
  const faults = [named(results, 'failed'), named(results, 'incomplete')].filter((fault) => fault !== undefined)
  if (faults.length > 0) throw new ExportFailed(`${faults.join('; ')}; run it again with --resume`)
}

/** The accounts with a status, for people. */
function named(results: readonly Exported[], status: Exclude<Exported['status'], 'complete'>): string | undefined {
  const some = results.filter((each) => each.status === status)
  if (some.length === 0) return undefined
  const which = some.map(({ email, grant_id }) => email || grant_id).join(', ')
  const state = status === 'failed' ? 'failed' : some.length === 1 ? 'is incomplete' : 'are incomplete'
  return `${some.length} of ${results.length} accounts ${state}: ${which}`
}

function choiceOf(args: Arguments): ExportChoice {
  const wanted = listOf(args, 'data') ?? [...kinds]
  const unknown = wanted.find((word) => !kinds.some((kind) => kind === word))
  if (unknown !== undefined) throw new UsageError(`--data: ${unknown} is none of ${kinds.join(', ')}`, 'grants export')
  const formats = listOf(args, 'format') ?? []
  const known = new Set<string>(Object.values(formatsOf).flat())
  const odd = formats.find((word) => !known.has(word))
  if (odd !== undefined) throw new UsageError(`--format: ${odd} is none of ${[...known].join(', ')}`, 'grants export')
  const formatFor = (kind: Kind): Format => {
    const [usual = 'ndjson'] = formatsOf[kind]
    // A format of its own goes before one that all kinds have.
    const own = formatsOf[kind].filter((format) => formats.includes(format))
    return own.find((format) => format !== 'ndjson') ?? own[0] ?? usual
  }
  return {
    kinds: kinds.filter((kind) => wanted.includes(kind)),
    formats: { mail: formatFor('mail'), calendar: formatFor('calendar'), contacts: formatFor('contacts') },
  }
}

const listOf = (args: Arguments, name: string): string[] | undefined =>
  textOption(args, name)
    ?.split(',')
    .map((word) => word.trim())
    .filter((word) => word !== '')

/** The grant that was named, or all of the application, the oldest first. */
async function* grantsOf(
  { storage: { database } }: BuiltServices,
  applicationId: string,
  args: Arguments,
): AsyncGenerator<Pick<Grant, 'id' | 'email'>> {
  const [word] = args.words
  if ((word === undefined) === (args.options.all !== true)) {
    throw new UsageError('name one GRANT, or use --all for all grants of the application', 'grants export')
  }
  if (word !== undefined) {
    yield (await findNamedGrant(database, applicationId, word)).grant
    return
  }
  const filter = { sortBy: 'created_at', order: 'asc' } as const
  let after: GrantPosition | undefined
  do {
    const page = await readGrantPage(database, applicationId, filter, { limit: 100, offset: 0, after })
    for (const { id, email } of page.grants) yield { id, email }
    after = page.next
  } while (after)
}

interface One {
  services: BuiltServices
  applicationId: string
  grant: Pick<Grant, 'id' | 'email'>
  choice: ExportChoice
  out: string
  args: Arguments
  output: Output
}

/** Exports one account. Its failure is a result; only a failure of the disk ends the command. */
async function exportOne(one: One): Promise<Exported> {
  const { services, applicationId, grant, out } = one
  const folder = path.join(out, grant.id)
  let position: Position | undefined
  try {
    makeFolder(folder)
    position = readPosition(folder)
    if (position && one.args.options.resume !== true) {
      throw new ExportFailed(`${folder} already has an export: continue it with --resume, or choose another folder`)
    }
    const record = await findGrant(services.storage.database, applicationId, { by: 'id', value: grant.id })
    const account = accountOf(services, services.accounts.sessions.usable(record))
    position ??= await begin(one, account, folder)
    await noteCommand(services.storage.database, services, { action: 'grants.export', applicationId, target: grant.id })
    const progress = progressOf(one)
    const { clock } = services.storage
    position = await exportTasks({ account, folder, now: () => clock.now(), progress }, position)
    return resultOf(grant, position)
  } catch (error) {
    if (isDisk(error)) throw diskFailure(error, folder)
    if (error instanceof ExportFailed) throw error
    const result = resultOf(grant, position)
    return { ...result, status: 'failed', problems: [...result.problems, reasonOf(error)] }
  }
}

async function begin(
  { services, grant, choice, args }: One,
  account: ExportedAccount,
  folder: string,
): Promise<Position> {
  const position: Position = {
    grant_id: grant.id,
    email: grant.email ?? '',
    begun_at: services.storage.clock.now(),
    start: timeOption(args, 'start'),
    end: timeOption(args, 'end'),
    tasks: await tasksOf(account, choice),
  }
  savePosition(folder, position)
  return position
}

const accountOf = (
  { accounts: { sessions }, storage: { database }, runtime: { stopping } }: BuiltServices,
  record: GrantRecord,
): ExportedAccount => ({
  sessions,
  record,
  use: { queries: database, responseHeaders: {} },
  signal: stopping,
})

function diskFailure(error: NodeJS.ErrnoException, folder: string): Error {
  const reasons: Record<string, string> = {
    ENOSPC: 'there is no space left on the disk',
    EDQUOT: 'the disk quota is used up',
    EACCES: 'the folder cannot be written by this user',
    EPERM: 'the folder cannot be written by this user',
    EROFS: 'the disk is read-only',
  }
  const why = reasons[error.code ?? ''] ?? error.message
  return new ExportFailed(`${folder}: ${why}; then run it again with --resume: it continues where it stopped`, {
    cause: error,
  })
}

const names: Readonly<Record<Kind, 'messages' | 'events' | 'contacts'>> = {
  mail: 'messages',
  calendar: 'events',
  contacts: 'contacts',
}

function progressOf({ services, grant, output }: One): (task: Task) => void {
  const { clock } = services.storage
  let reported = 0
  return (task) => {
    if (task.state === 'waiting' && clock.now() - reported < progressEveryMs) return
    reported = clock.now()
    const end = task.state === 'waiting' ? '' : task.state === 'done' ? ', done' : `: ${task.problem}`
    output.progress(`${grant.email ?? grant.id}: ${task.file || task.kind}: ${task.count} ${names[task.kind]}${end}`)
  }
}

/** The result of an account for the summary. */
export function resultOf({ id, email }: Pick<Grant, 'id' | 'email'>, position: Position | undefined): Exported {
  const tasks = position?.tasks ?? []
  const sum = (kind: Kind): number => tasks.reduce((all, task) => all + (task.kind === kind ? task.count : 0), 0)
  const problemsOf = (state: Task['state']): string[] =>
    tasks.filter((task) => task.state === state).map(({ kind, file, problem }) => `${file || kind}: ${problem ?? ''}`)
  const isRead = position !== undefined && tasks.every(({ state }) => state === 'done' || state === 'left_out')
  const skipped = tasks.reduce((all, task) => all + task.skipped, 0)
  return {
    grant_id: id,
    email: email ?? '',
    status: !isRead ? 'failed' : skipped > 0 ? 'incomplete' : 'complete',
    messages: sum('mail'),
    events: sum('calendar'),
    contacts: sum('contacts'),
    skipped,
    left_out: problemsOf('left_out'),
    problems: [...problemsOf('failed'), ...tasks.flatMap(missingOf)],
  }
}

/** The summary names this many missing objects, and counts the others. `export.json` names them. */
const maxMissingShown = 5

/** Why objects are missing, for people. */
function missingOf({ file, kind, skipped, missing, problem, state }: Task): string[] {
  if (skipped === 0) return []
  const reported = missing
    .slice(0, maxMissingShown)
    .map(({ id, problem }) => `${file || kind}: without ${id}: ${problem}`)
  const more = skipped > reported.length ? [`${file || kind}: without ${skipped - reported.length} more`] : []
  const retry = state === 'done' && problem !== undefined ? [`${file || kind}: trying again failed: ${problem}`] : []
  return [...reported, ...more, ...retry]
}

function printSummary(output: Output, out: string, accounts: readonly Exported[]): void {
  if (output.json) {
    printObject(output, { out, accounts })
    return
  }
  const columns = ['email', 'status', 'messages', 'events', 'contacts', 'skipped']
  printRows(output, accounts, columns, 'No grants yet.')
  for (const { email, left_out, problems } of accounts) {
    // Texts of providers must not reach the terminal with control characters.
    for (const line of [...left_out.map((text) => `left out: ${text}`), ...problems]) {
      output.write(`${email}: ${line}`.replace(/\p{C}/gu, '?'))
    }
  }
  output.write(`Written to ${out}`)
}
