import { ApplicationChange, Environment } from '@waypost/contract'
import { apiKeyOf, createApiKey } from '../applications/api-keys.ts'
import { changeApplication, createApplication, needApplication, summarize } from '../applications/applications.ts'
import { ApiError } from '../lib/api-error.ts'
import { listApiKeys, revokeApiKey } from '../store/api-keys.ts'
import { listApplications } from '../store/applications.ts'
import { limitMail } from '../store/mail-use.ts'
import { noteCommand } from './audit.ts'
import { applicationOf, type Command, needWord, UsageError } from './command.ts'
import { printObject, printRows } from './output.ts'

const applicationColumns = ['application_id', 'name', 'environment', 'grant_count', 'grant_limit', 'blocked']

export const appsCreate: Command = {
  usage: 'apps create NAME [--environment production|staging|development]',
  summary: 'Create an application without a limit of grants, with its first API key',
  async run(services, args, output) {
    const { database, clock, place } = services
    const environment = Environment.exclude(['sandbox']).safeParse(args.options.environment ?? 'production')
    if (!environment.success) throw new UsageError('--environment must be production, staging or development')
    const name = needWord(args, 0, 'NAME')
    const made = await database.transaction(async (tx) => {
      const row = await createApplication(tx, { name, environment: environment.data }, clock.now())
      const key = await createApiKey(tx, row.id, { name: 'First key', environment: row.environment }, clock.now())
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
    output.progress('The API key is shown only now: keep it.')
  },
}

export const appsList: Command = {
  usage: 'apps list',
  summary: 'List the applications',
  async run({ database, place }, _args, output) {
    const rows = await Promise.all((await listApplications(database)).map((row) => summarize(database, row, place)))
    const shown = output.json ? rows : rows.map((row) => ({ ...row, name: row.branding.name }))
    printRows(output, shown, applicationColumns, 'No applications yet: waypost apps create NAME')
  },
}

export const appsChange: Command = {
  usage: 'apps change [--app APPLICATION_ID] [--stream on|off] [--retention DAYS|default]',
  summary: 'Switch the stream of notifications on or off; set how long notifications are kept',
  async run(services, args, output) {
    const { database, clock, place } = services
    const { stream, retention } = args.options
    if (stream !== undefined && stream !== 'on' && stream !== 'off') throw new UsageError('--stream must be on or off')
    if (stream === undefined && retention === undefined) throw new UsageError('say --stream or --retention')
    const change = ApplicationChange.safeParse({
      ...(stream === undefined ? {} : { notification_stream: stream === 'on' }),
      ...(retention === undefined ? {} : { notification_days: retention === 'default' ? null : Number(retention) }),
    })
    if (!change.success) throw new UsageError('--retention must be 2 to 90 days, or default')
    const changed = await database.transaction(async (tx) => {
      const { id } = await needApplication(tx, applicationOf(services, args))
      await changeApplication(tx, id, change.data, clock.now())
      await noteCommand(tx, services, { action: 'applications.update', applicationId: id, target: id })
      return summarize(tx, await needApplication(tx, id), place)
    })
    const { application_id, notification_stream, notification_days } = changed
    printObject(output, { application_id, notification_stream, notification_days })
  },
}

export const appsMail: Command = {
  usage: 'apps mail NUMBER|default [--app APPLICATION_ID]',
  summary: "Set how many mails an application may send in a day by the service's own identity",
  async run(services, args, output) {
    const word = needWord(args, 0, 'NUMBER')
    if (word !== 'default' && !/^\d{1,6}$/.test(word)) throw new UsageError('NUMBER must be 0 to 999999, or default')
    const { database, place } = services
    const application = await database.transaction(async (tx) => {
      const row = await needApplication(tx, applicationOf(services, args))
      await limitMail(tx, row.id, word === 'default' ? null : Number(word))
      await noteCommand(tx, services, { action: 'adminApplications.update', applicationId: row.id, target: row.id })
      return summarize(tx, row, place)
    })
    const { application_id, mail_per_day } = application
    printObject(output, { application_id, mail_per_day: mail_per_day ?? `default (${services.config.mailPerDay})` })
  },
}

export const keysCreate: Command = {
  usage: 'keys create NAME [--app APPLICATION_ID] [--expires-in DAYS]',
  summary: 'Create an API key; it is shown once',
  async run(services, args, output) {
    const { database, clock } = services
    const name = needWord(args, 0, 'NAME')
    const days = args.options['expires-in'] === undefined ? undefined : Number(args.options['expires-in'])
    if (days !== undefined && !(Number.isInteger(days) && days > 0))
      throw new UsageError('--expires-in takes whole days')
    const key = await database.transaction(async (tx) => {
      const { id, environment } = await needApplication(tx, applicationOf(services, args))
      const made = await createApiKey(tx, id, { name, expiresInDays: days, environment }, clock.now())
      await noteCommand(tx, services, { action: 'apiKeys.create', applicationId: id, target: made.id })
      return made
    })
    printObject(output, { ...key })
  },
}

export const keysList: Command = {
  usage: 'keys list [--app APPLICATION_ID]',
  summary: 'List the API keys of an application',
  async run(services, args, output) {
    const { database, clock } = services
    const { id } = await needApplication(database, applicationOf(services, args))
    const keys = (await listApiKeys(database, id)).map((row) => apiKeyOf(row, clock.now()))
    printRows(output, keys, ['id', 'name', 'hint', 'status', 'expires_in'], 'No keys yet: waypost keys create NAME')
  },
}

export const keysRevoke: Command = {
  usage: 'keys revoke KEY_ID [--app APPLICATION_ID]',
  summary: 'Revoke an API key, at once',
  async run(services, args, output) {
    const { database, clock } = services
    const id = needWord(args, 0, 'KEY_ID')
    const applicationId = applicationOf(services, args)
    await database.transaction(async (tx) => {
      const revoked = await revokeApiKey(tx, applicationId, id, clock.now())
      if (revoked === 0) throw new ApiError('not_found', 'no such key in this application, or it is revoked already')
      await noteCommand(tx, services, { action: 'apiKeys.delete', applicationId, target: id })
    })
    printObject(output, { id, status: 'revoked' })
  },
}
