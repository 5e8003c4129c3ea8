/** The application that a command is about. */
import { ApiError } from '../lib/api-error.ts'
import { closest } from '../lib/closest.ts'
import type { BuiltServices } from '../services/services.ts'
import { type ApplicationRow, getApplication, listApplications } from '../store/tables/applications/applications.ts'
import { type Arguments, textOption, UsageError } from './program/command.ts'

const nameOf = (row: ApplicationRow): string => JSON.parse(row.branding).name

/** The application that `--app` names by its id or its name; the sandbox when the option is absent. */
export async function findApplication(
  { database, installation }: Pick<BuiltServices, 'database' | 'installation'>,
  args: Arguments,
): Promise<ApplicationRow> {
  const given = textOption(args, 'app')
  const byId = await getApplication(database, given ?? installation.sandboxId)
  if (byId) return byId
  if (given === undefined) throw new ApiError('not_found', 'the sandbox application is gone: say --app')
  const all = await listApplications(database)
  const exact = all.filter((row) => nameOf(row) === given)
  const found = exact.length > 0 ? exact : all.filter((row) => nameOf(row).toLowerCase() === given.toLowerCase())
  const [row, ...others] = found
  if (row && others.length === 0) return row
  if (row) {
    const ids = found.map(({ id, environment }) => `${id} (${environment})`).join(', ')
    throw new UsageError(`${found.length} applications are called "${given}": say which by its id, ${ids}`)
  }
  const meant = closest(given, all.map(nameOf))
  const hint = meant === undefined ? '"waypost apps list" shows all' : `did you mean "${meant}"?`
  throw new ApiError('not_found', `no application with this id or name: ${given}; ${hint}`)
}
