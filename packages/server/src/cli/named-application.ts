/** Finds the applications of a command. */
import { ApiError } from '@waypost/platform/api-error'
import { closest } from '@waypost/platform/closest'
import { type ApplicationRow, getApplication, listApplications } from '@waypost/store/tables/applications/applications'
import type { BuiltServices } from '../services/services.ts'
import { type Arguments, textOption, UsageError } from './program/command.ts'

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
