/** People who administer the service, their second factors, and other ways to sign in. */
import { PersonEmail, type PersonKeys, Role } from '@waypost/contract'
import { ApiError } from '@waypost/platform/api-error'
import { emailKey } from '@waypost/platform/email-key'
import { newToken } from '@waypost/platform/ids'
import type { Queries } from '@waypost/store/engine/database'
import { deleteAdminSessions } from '@waypost/store/tables/applications/admin-sessions'
import { findPersonByEmail, listPeople, type PersonRow } from '@waypost/store/tables/applications/people'
import { linkAddress, makeLink } from '../applications/admin-sessions.ts'
import {
  endInstallationSessions,
  replaceAdminPassword,
  switchInstallationPassword,
} from '../applications/administrator.ts'
import { keysOfPerson, type Revoker } from '../applications/api-keys.ts'
import { changePerson, invitePerson, personOf, removePerson, renewInvitation } from '../applications/people.ts'
import { removeTotp } from '../applications/second-factor.ts'
import { requireSecondFactor, secondFactorRoles } from '../applications/second-factor-policy.ts'
import type { BuiltServices } from '../services/services.ts'
import { audited } from './audit.ts'
import { namedApplications } from './named.ts'
import { type Arguments, needWord, numberOption, type StoreRun, textOption, UsageError } from './program/command.ts'
import { type Output, printList, printObject } from './program/output.ts'

const columns = ['email', 'name', 'role', 'applications', 'state', 'has_totp', 'id']

/** The person whose address is the first argument. */
async function namedPerson({ storage: { database } }: BuiltServices, args: Arguments): Promise<PersonRow> {
  const email = needWord(args, 0, 'ADDRESS')
  const row = await findPersonByEmail(database, emailKey(email))
  if (!row)
    throw new ApiError('not_found', `no person with this address: ${email}; run "waypost people list" for all people`)
  return row
}

export const peopleList: StoreRun = async ({ storage: { database, clock } }, args, output) => {
  const limit = numberOption(args, 'limit')
  const rows = await listPeople(database, database.engine, { search: {}, limit: limit + 1 })
  const people = await Promise.all(rows.map((row) => personOf(database, row, clock.now())))
  printList(output, people, { columns, empty: 'No people yet: waypost people invite ADDRESS', limit })
}

export const peopleInvite: StoreRun = async (services, args, output) => {
  const { baseUrl } = services.config
  const email = PersonEmail.safeParse(needWord(args, 0, 'ADDRESS'))
  if (!email.success) throw new UsageError('ADDRESS must be an email address', 'people invite')
  const draft = {
    email: email.data,
    name: textOption(args, 'name'),
    role: Role.parse(args.options.role ?? 'administrator'),
    applications: (await namedApplications(services, args)) ?? 'all',
  } as const
  const what = { action: 'people.create', target: (invited: { id: string }) => invited.id }
  const person = await audited(services, what, (tx, now) => invitePerson(tx, draft, { baseUrl, now }))
  printObject(output, person)
  output.progress('Send the link only to this person. It is shown only once, and works once, for seven days.')
}

export const peopleLink: StoreRun = async (services, args, output) => {
  const { baseUrl } = services.config
  const { id } = await namedPerson(services, args)
  const what = { action: 'people.invite', target: id }
  const person = await audited(services, what, (tx, now) => renewInvitation(tx, id, { baseUrl, now }))
  printObject(output, person)
  output.progress('Anyone who opens the link can choose a new password. Send it only to this person.')
}

/** The actor that revokes keys through a command. */
const command: Revoker = { actor: 'command', address: null, person: null }

/** Changes the person named by the first argument, and prints them with the API keys that they created. */
const changing =
  (action: string, change: (tx: Queries, id: string, now: number) => Promise<unknown>): StoreRun =>
  async (services, args, output) => {
    const { database, clock } = services.storage
    const { id, email } = await namedPerson(services, args)
    const revoker = args.options['revoke-keys'] === true ? command : undefined
    const { row, keys } = await audited(services, { action, target: id }, async (tx, now) => {
      await change(tx, id, now)
      const created = await keysOfPerson(tx, id, { revoker, now })
      return { row: await findPersonByEmail(tx, email), keys: created }
    })
    const person = row ? { ...(await personOf(database, row, clock.now())) } : { id, email, state: 'removed' }
    printObject(output, output.json ? { ...person, ...keys } : person)
    printKeys(output, keys)
  }

/** Prints the API keys that the person created, and whether they were revoked. */
function printKeys(output: Output, { api_keys: keys, api_keys_revoked: revoked }: PersonKeys): void {
  if (keys.length === 0) return
  output.progress(revoked ? 'Revoked API keys of this person:' : 'API keys of this person that stay valid:')
  for (const key of keys)
    output.progress(`  ${key.hint}  ${key.name}  (application ${key.application_id}, id ${key.id})`)
  if (!revoked) output.progress('Revoke them with "waypost keys revoke", or all with --revoke-keys.')
}

export const peopleChange: StoreRun = async (services, args, output) => {
  const applications = await namedApplications(services, args)
  const [role, name] = [textOption(args, 'role'), textOption(args, 'name')]
  const revokes = args.options['revoke-keys'] === true
  if (applications === undefined && role === undefined && name === undefined && !revokes) {
    throw new UsageError('set --role, --apps, --name or --revoke-keys', 'people change')
  }
  const change = {
    ...(role === undefined ? {} : { role: Role.parse(role) }),
    ...(name === undefined ? {} : { name }),
    ...(applications === undefined ? {} : { applications }),
  }
  await changing('people.update', (tx, id, now) => changePerson(tx, id, change, now))(services, args, output)
}
const blocking = (blocked: boolean) =>
  changing('people.update', (tx, id, now) => changePerson(tx, id, { blocked }, now))
export const peopleBlock = blocking(true)
export const peopleUnblock = blocking(false)
export const peopleRemove = changing('people.delete', removePerson)
export const peopleRemoveTotp = changing('people.removeTotp', async (tx, id, now) => {
  await removeTotp(tx, id, now)
  await deleteAdminSessions(tx, id)
})

/** Sets the roles that require a second factor: `all`, `none`, or comma-separated roles. */
export const peopleSecondFactor: StoreRun = async (services, args, output) => {
  const word = needWord(args, 0, 'ROLES')
  const named = { all: Role.options, none: [] }[word] ?? word.split(',').map((role) => role.trim())
  const roles = named.map((role) => {
    const known = Role.safeParse(role)
    if (known.success) return known.data
    throw new UsageError(`ROLES must be all, none, or some of ${Role.options.join(', ')}`, 'people second-factor')
  })
  const required = await audited(services, { action: 'installation.update' }, async (tx, now) => {
    await requireSecondFactor(tx, roles, { now })
    return secondFactorRoles(tx)
  })
  printObject(output, { second_factor_required_for: required })
}

export const dashboardPassword: StoreRun = async (services, args, output) => {
  const word = needWord(args, 0, 'SWITCH')
  if (word === 'new') return newPassword(services, output)
  const on = word === 'on'
  const needed = await audited(services, { action: 'installation.update' }, async (tx, now) => {
    await switchInstallationPassword(tx, on, now)
    return secondFactorRoles(tx)
  })
  printObject(output, { installation_password: on })
  if (on && needed.includes('owner')) {
    output.progress('It does not need the second factor that owners need. Turn it off when you are done.')
  }
}

/** Generates a new installation password, which must be changed at the first sign-in. */
async function newPassword(services: BuiltServices, output: Output): Promise<void> {
  const { administrator, installation } = services.administration
  if (installation.passwordIsSet) {
    throw new ApiError('conflict', 'WAYPOST_ADMIN_PASSWORD sets the password: change it there')
  }
  const password = newToken()
  const digest = await administrator.digest(password)
  await audited(services, { action: 'session.password' }, async (tx, now) => {
    await replaceAdminPassword(tx, digest, now)
    await endInstallationSessions(tx)
  })
  printObject(output, { user: 'admin', password })
  output.progress('The password is shown only once. Sign in within a day and change it.')
}

export const dashboardLink: StoreRun = async (services, _args, output) => {
  const token = await audited(services, { action: 'dashboard.link' }, makeLink)
  printObject(output, { link: linkAddress(services.config.baseUrl, token) })
  output.progress('The first person to open it becomes the administrator. Do not share it.')
}
