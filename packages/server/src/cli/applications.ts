/** Applications, their API keys, and the request logs of restricted keys. */
import { ApplicationChange, Environment, type KeyCreator } from '@waypost/contract'
import { ApiError } from '@waypost/platform/api-error'
import { getApiKey, listApiKeys, revokeApiKey } from '@waypost/store/tables/applications/api-keys'
import { searchApplications } from '@waypost/store/tables/applications/applications'
import { listCredentialRequests } from '@waypost/store/tables/applications/credential-requests'
import { limitMail } from '@waypost/store/tables/mail/mail-use'
import { apiKeyOf, createApiKey, createdBy, updateApiKey } from '../applications/api-keys.ts'
import { changeApplication, createApplication, needApplication, summarize } from '../applications/applications.ts'
import { credentialRequestOf } from '../telemetry/credential-log.ts'
import { audited, noteCommand } from './audit.ts'
import { rightsIn, sayRights } from './key-rights.ts'
import { findApplication } from './named.ts'
import { needWord, numberOption, type StoreRun, textOption, UsageError } from './program/command.ts'
import { printList, printObject, shownTime } from './program/output.ts'

/** Fields of all keys created by commands. */
const drafted = { createdBy: createdBy('command') }

const applicationColumns = ['application_id', 'name', 'environment', 'grant_count', 'grant_limit', 'blocked']

export const appsCreate: StoreRun = async (services, args, output) => {
  const { database, clock } = services.storage
  const { place } = services.administration
  const environment = Environment.parse(args.options.environment ?? 'production')
  const name = needWord(args, 0, 'NAME')
  const made = await database.transaction(async (tx) => {
    const row = await createApplication(tx, { name, environment }, clock.now())
    const key = await createApiKey(
      tx,
      row.id,
      { ...drafted, name: 'First key', environment: row.environment },
      clock.now(),
    )
    await noteCommand(tx, services, { action: 'adminApplications.create', applicationId: row.id, target: row.id })
    await noteCommand(tx, services, { action: 'apiKeys.create', applicationId: row.id, target: key.id })
    return { application: await summarize(tx, row, place), key }
  })
  const { application, key } = made
  printObject(output, {
    application_id: application.application_id,
    name: application.branding.name,
    environment: application.environment,
    api_key: key.api_key,
  })
  output.progress('The API key is shown only once. Store it now.')
}

export const appsList: StoreRun = async ({ storage: { database }, administration: { place } }, args, output) => {
  const limit = numberOption(args, 'limit')
  const requested = { search: {}, sort: 'created_at', order: 'asc' } as const
  const found = await searchApplications(database, database.engine, requested, { limit: limit + 1 })
  const rows = await Promise.all(found.rows.map((row) => summarize(database, row, place)))
  const shown = output.json ? rows : rows.map((row) => ({ ...row, name: row.branding.name }))
  const empty = 'No applications yet: waypost apps create NAME'
  printList(output, shown, { columns: applicationColumns, empty, limit })
}

export const appsChange: StoreRun = async (services, args, output) => {
  const { place } = services.administration
  const { stream, retention } = args.options
  if (stream === undefined && retention === undefined)
    throw new UsageError('set --stream or --retention', 'apps change')
  const change = ApplicationChange.safeParse({
    ...(stream === undefined ? {} : { notification_stream: stream === 'on' }),
    ...(retention === undefined ? {} : { notification_days: retention === 'default' ? null : Number(retention) }),
  })
  if (!change.success) throw new UsageError('--retention must be 2 to 90 days, or default', 'apps change')
  const { id } = await findApplication(services, args)
  const what = { action: 'applications.update', applicationId: id, target: id }
  const changed = await audited(services, what, async (tx, now) => {
    await changeApplication(tx, id, change.data, now)
    return summarize(tx, await needApplication(tx, id), place)
  })
  const { application_id, notification_stream, notification_days } = changed
  printObject(output, { application_id, notification_stream, notification_days })
}

export const appsMail: StoreRun = async (services, args, output) => {
  const word = needWord(args, 0, 'NUMBER')
  if (word !== 'default' && !/^\d{1,6}$/.test(word))
    throw new UsageError('NUMBER must be 0 to 999999, or default', 'apps mail')
  const row = await findApplication(services, args)
  const what = { action: 'adminApplications.update', applicationId: row.id, target: row.id }
  const application = await audited(services, what, async (tx) => {
    await limitMail(tx, row.id, word === 'default' ? null : Number(word))
    return summarize(tx, row, services.administration.place)
  })
  const { application_id, mail_per_day } = application
  printObject(output, { application_id, mail_per_day: mail_per_day ?? `default (${services.config.mailPerDay})` })
}

export const keysCreate: StoreRun = async (services, args, output) => {
  const name = args.words[0] ?? `Key of ${new Date(services.storage.clock.now()).toISOString().slice(0, 10)}`
  const given = textOption(args, 'expires-in')
  const days = given === undefined ? undefined : Number(given)
  const { id, environment } = await findApplication(services, args)
  const what = { action: 'apiKeys.create', applicationId: id, target: (made: { id: string }) => made.id }
  const key = await audited(services, what, async (tx, now) => {
    const rights = await rightsIn(tx, id, args, 'keys create')
    return createApiKey(tx, id, { ...drafted, name, expiresInDays: days, environment, rights }, now)
  })
  printObject(output, key)
  output.progress('The API key is shown only once. Store it now.')
}

/** Describes who created a key. */
export const sayCreator = ({ type, name }: KeyCreator): string => (type === 'person' ? (name ?? 'a person') : type)

export const keysList: StoreRun = async (services, args, output) => {
  const { database, clock } = services.storage
  const limit = numberOption(args, 'limit')
  const { id } = await findApplication(services, args)
  const keys = (await listApiKeys(database, id)).map((row) => apiKeyOf(row, clock.now()))
  const columns = ['id', 'name', 'hint', 'status', 'expires_in', 'created_by', 'rights']
  const shown = output.json
    ? keys
    : keys.map((key) => ({ ...key, created_by: sayCreator(key.created_by), rights: sayRights(key.rights) }))
  printList(output, shown, { columns, empty: 'No keys yet: waypost keys create', limit })
}

export const keysUpdate: StoreRun = async (services, args, output) => {
  const id = needWord(args, 0, 'KEY_ID')
  const name = textOption(args, 'name')
  const { id: applicationId } = await findApplication(services, args)
  const key = await audited(services, { action: 'apiKeys.update', applicationId, target: id }, async (tx, now) => {
    const rights = await rightsIn(tx, applicationId, args, 'keys update')
    if (name === undefined && rights === undefined) throw new UsageError('set --name or --allow', 'keys update')
    return updateApiKey(tx, { applicationId, id }, { name, rights }, now)
  })
  printObject(output, key)
}

export const keysRevoke: StoreRun = async (services, args, output) => {
  const id = needWord(args, 0, 'KEY_ID')
  const { id: applicationId } = await findApplication(services, args)
  await audited(services, { action: 'apiKeys.delete', applicationId, target: id }, async (tx, now) => {
    const revoked = await revokeApiKey(tx, applicationId, id, now)
    if (revoked === 0) throw new ApiError('not_found', 'no such key in this application, or it is already revoked')
  })
  printObject(output, { id, status: 'revoked' })
}

/** The requests of a restricted API key. */
export const keysRequests: StoreRun = async (services, args, output) => {
  const { database } = services.storage
  const credentialId = needWord(args, 0, 'KEY_ID')
  const limit = numberOption(args, 'limit')
  const { id: applicationId } = await findApplication(services, args)
  const key = await getApiKey(database, applicationId, credentialId)
  if (!key) throw new ApiError('not_found', 'no such key in this application')
  const outcome = args.options.failed === true ? ('failed' as const) : undefined
  const filter = { applicationId, credentialId, outcome, grantId: textOption(args, 'grant') }
  const { rows } = await listCredentialRequests(database, filter, { limit: limit + 1 })
  const requests = rows.map(credentialRequestOf)
  const shown = requests.map(({ time, ...request }) => ({ time: shownTime(time), ...request }))
  const columns = ['time', 'method', 'operation', 'tool', 'status', 'error', 'grant_id', 'id']
  printList(output, output.json ? requests : shown, { columns, empty: 'No requests of this key.', limit })
}
