/** The applications and grants that a command names, and the names that shell completion offers. */
import { ApiError } from '@waypost/platform/api-error'
import { closest } from '@waypost/platform/closest'
import type { Queries } from '@waypost/store/engine/database'
import { type ApplicationRow, getApplication, listApplications } from '@waypost/store/tables/applications/applications'
import { findGrant, type GrantRecord } from '@waypost/store/tables/grants/grants'
import { readConfig } from '../config.ts'
import { parseLocator } from '../grants/locator.ts'
import type { BuiltServices } from '../services/services.ts'
import { type Arguments, type PlainRun, textOption, UsageError } from './program/command.ts'
import type { Terminal } from './program/output.ts'
import { hasStore, openStore } from './store-place.ts'

const nameOf = (row: ApplicationRow): string => JSON.parse(row.branding).name

/** The application that `--app` names by id or name; by default the sandbox. */
export async function findApplication(
  { storage: { database }, administration: { installation } }: Pick<BuiltServices, 'storage' | 'administration'>,
  args: Arguments,
): Promise<ApplicationRow> {
  const given = textOption(args, 'app')
  const byId = await getApplication(database, given ?? installation.sandboxId)
  if (byId) return byId
  if (given === undefined) throw new ApiError('not_found', 'the sandbox application was deleted: use --app')
  const all = await listApplications(database)
  const exact = all.filter((row) => nameOf(row) === given)
  const found = exact.length > 0 ? exact : all.filter((row) => nameOf(row).toLowerCase() === given.toLowerCase())
  const [row, ...others] = found
  if (row && others.length === 0) return row
  if (row) {
    const ids = found.map(({ id, environment }) => `${id} (${environment})`).join(', ')
    throw new UsageError(`${found.length} applications are called "${given}": use one of the ids ${ids}`)
  }
  const meant = closest(given, all.map(nameOf))
  const hint = meant === undefined ? 'run "waypost apps list" for all applications' : `did you mean "${meant}"?`
  throw new ApiError('not_found', `no application with this id or name: ${given}; ${hint}`)
}

/** The applications in `--apps`, comma-separated ids or names, or `all`. */
export async function namedApplications(
  services: Pick<BuiltServices, 'storage' | 'administration'>,
  args: Arguments,
): Promise<'all' | string[] | undefined> {
  const names = textOption(args, 'apps')
  if (names === undefined || names === 'all') return names
  const requested = names.split(',').map((name) => name.trim())
  const found = requested.map((app) => findApplication(services, { words: [], options: { app } }))
  return (await Promise.all(found)).map(({ id }) => id)
}

/** The grant of an application by its id, its address, or `external:<external id>`. */
export async function findNamedGrant(queries: Queries, applicationId: string, word: string): Promise<GrantRecord> {
  const locator = parseLocator(word)
  if (!locator || locator.by === 'me') throw new UsageError('GRANT must be an id, an address, or external:<id>')
  const record = await findGrant(queries, applicationId, locator)
  if (!record) throw new ApiError('grant_not_found', 'no such grant in this application')
  return record
}

async function namesIn(env: Terminal['env']): Promise<string[]> {
  const { config, secrets } = readConfig(env)
  if (!hasStore(config, secrets)) return []
  await using database = await openStore(config, secrets.databaseUrl)
  return (await listApplications(database)).map((row) => String(nameOf(row)))
}

/** Prints the names of the applications in an existing store. It creates nothing and reports no errors. */
export const completionNames: PlainRun = async ({ terminal, output }) => {
  const names = await namesIn(terminal.env).catch(() => [])
  // Names are free text, so names with control characters are left out.
  const plain = names.filter((name) => !/\p{C}/u.test(name))
  if (output.json) output.write(JSON.stringify(plain))
  else for (const name of plain) output.write(name)
  return 0
}
