import { WorkspaceDraft } from '@waypost/contract'
import { needApplication } from '../applications/applications.ts'
import { startGrouping } from '../grants/auto-grouping.ts'
import { allWorkspaces, assignGrants, createWorkspace, lockedApplication } from '../grants/workspaces.ts'
import { audited } from './audit.ts'
import { findApplication, findNamedGrant } from './named.ts'
import { needWord, parseGiven, type StoreRun, textOption } from './program/command.ts'
import { printObject, printRows } from './program/output.ts'

export const workspacesList: StoreRun = async (services, args, output) => {
  const { database } = services.storage
  const { id } = await findApplication(services, args)
  const rows = await allWorkspaces(database, await needApplication(database, id))
  printRows(output, rows, ['workspace_id', 'name', 'domain', 'auto_group', 'default'], 'No workspaces yet.')
}

export const workspacesCreate: StoreRun = async (services, args, output) => {
  const domain = textOption(args, 'domain')
  const given = { name: needWord(args, 0, 'NAME'), domain, auto_group: domain !== undefined }
  const draft = parseGiven(WorkspaceDraft, given, 'workspaces create')
  const { id: applicationId } = await findApplication(services, args)
  const what = { action: 'workspaces.create', applicationId, target: workspaceId }
  const made = await audited(services, what, async (tx, now) => {
    await lockedApplication(tx, applicationId)
    return createWorkspace(tx, applicationId, draft, now)
  })
  printObject(output, made)
  if (made.domain !== '') {
    output.progress(`Grants that exist already join it with: waypost workspaces group --domain ${made.domain}`)
  }
}

/** The workspace that a change was about. */
const workspaceId = (made: { workspace_id: string }): string => made.workspace_id

export const workspacesGroup: StoreRun = async (services, args, output) => {
  const { id: applicationId } = await findApplication(services, args)
  const filters = { specific_domain: textOption(args, 'domain') }
  const job = await audited(services, { action: 'workspaces.autoGroup', applicationId }, (tx, now) =>
    startGrouping(tx, applicationId, filters, now),
  )
  printObject(output, job)
}

export const workspacesAssign: StoreRun = async (services, args, output) => {
  const { id: applicationId, default_workspace_id: usual } = await findApplication(services, args)
  const word = needWord(args, 0, 'WORKSPACE')
  const { grant } = await findNamedGrant(services.storage.database, applicationId, needWord(args, 1, 'GRANT'))
  const what = { action: 'workspaces.manualAssign', applicationId, target: workspaceId }
  const assigned = await audited(services, what, (tx) =>
    assignGrants(tx, applicationId, word === 'default' ? usual : word, { assign_grants: [grant.id] }),
  )
  printObject(output, assigned)
}
