import { readFile } from 'node:fs/promises'
import { ServiceAccountDraft } from '@waypost/contract'
import { listServiceAccounts } from '@waypost/store/tables/applications/service-accounts'
import {
  changeServiceAccount,
  createServiceAccount,
  keysFor,
  removeServiceAccount,
  serviceAccountOf,
} from '../applications/service-accounts.ts'
import { audited } from './audit.ts'
import { namedApplications } from './named.ts'
import { needWord, numberOption, parseGiven, type StoreRun, textOption, UsageError } from './program/command.ts'
import { printList, printObject } from './program/output.ts'

const columns = ['id', 'name', 'permissions', 'applications', 'status']

export const serviceAccountsList: StoreRun = async ({ storage: { database, clock } }, _args, output) => {
  const accounts = (await listServiceAccounts(database)).map((row) => serviceAccountOf(row, clock.now()))
  const empty = 'No service accounts yet: waypost service-accounts create NAME'
  printList(output, accounts, { columns, empty, limit: accounts.length })
}

export const serviceAccountsCreate: StoreRun = async (services, args, output) => {
  const { place } = services.administration
  const file = textOption(args, 'public-key')
  const given = {
    name: needWord(args, 0, 'NAME'),
    permissions: (textOption(args, 'permissions') ?? '').split(',').map((permission) => permission.trim()),
    applications: (await namedApplications(services, args)) ?? 'all',
    expires_in: textOption(args, 'expires-in') === undefined ? null : numberOption(args, 'expires-in'),
    ...(file === undefined ? {} : { public_key: await readKey(file) }),
  }
  const draft = parseGiven(ServiceAccountDraft, given, 'service-accounts create')
  const keys = await keysFor(draft)
  const what = { action: 'serviceAccounts.create', target: (made: { id: string }) => made.id }
  const { credential, ...account } = await audited(services, what, (tx, now) =>
    createServiceAccount(tx, { ...draft, keys }, { place, now }),
  )
  printObject(output, output.json ? { ...account, credential } : { ...(credential ?? account) })
  if (credential)
    output.progress('The private key is shown only once and is not stored. Keep the credential file secret.')
}

async function readKey(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8')
  } catch {
    throw new UsageError(`--public-key: cannot read ${file}`, 'service-accounts create')
  }
}

/** Blocks or unblocks the service account named by the first argument. */
const blocking =
  (blocked: boolean): StoreRun =>
  async (services, args, output) => {
    const id = needWord(args, 0, 'ID')
    const account = await audited(services, { action: 'serviceAccounts.update', target: id }, (tx, now) =>
      changeServiceAccount(tx, id, { blocked }, now),
    )
    printObject(output, account)
  }

export const serviceAccountsBlock = blocking(true)
export const serviceAccountsUnblock = blocking(false)

export const serviceAccountsRevoke: StoreRun = async (services, args, output) => {
  const id = needWord(args, 0, 'ID')
  await audited(services, { action: 'serviceAccounts.delete', target: id }, (tx) => removeServiceAccount(tx, id))
  printObject(output, { id, status: 'revoked' })
}
