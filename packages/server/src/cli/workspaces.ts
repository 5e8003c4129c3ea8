import { WorkspaceDraft } from '@waypost/contract'
import { needApplication } from '../applications/applications.ts'
import { startGrouping } from '../grants/auto-grouping.ts'
import { allWorkspaces, assignGrants, createWorkspace, lockedApplication } from '../grants/workspaces.ts'
import { noteCommand } from './audit.ts'
import { findApplication } from './named-application.ts'
import { findNamedGrant } from './named-grant.ts'
import { needWord, type StoreRun, textOption, UsageError } from './program/command.ts'
import { printObject, printRows } from './program/output.ts'

export const workspacesList: StoreRun = async (services, args, output) => {
  const { database } = services.storage
  const { id } = await findApplication(services, args)
  const rows = await allWorkspaces(database, await needApplication(database, id))
  printRows(output, rows, ['workspace_id', 'name', 'domain', 'auto_group', 'default'], 'No workspaces yet.')
}

export const workspacesCreate: StoreRun = async (services, args, output) => {
  const { database, clock } = services.storage
  const domain = textOption(args, 'domain')
  const name = needWord(args, 0, 'NAME')
  const draft = WorkspaceDraft.safeParse({ name, domain, auto_group: domain !== undefined })
  if (!draft.success) {
    const [issue] = draft.error.issues
    throw new UsageError(`${issue?.path.join('.')}: ${issue?.message}`, 'workspaces create')
  }
  const { id: applicationId } = await findApplication(services, args)
  const made = await database.transaction(async (tx) => {
    await lockedApplication(tx, applicationId)
    const workspace = await createWorkspace(tx, applicationId, draft.data, clock.now())
    await noteCommand(tx, services, { action: 'workspaces.create', applicationId, target: workspace.workspace_id })
    return workspace
  })
  printObject(output, made)
  if (made.domain !== '') {
    output.progress(`Grants that exist already join it with: waypost workspaces group --domain ${made.domain}`)
  }
}

export const workspacesGroup: StoreRun = async (services, args, output) => {
  const { database, clock } = services.storage
  const { id: applicationId } = await findApplication(services, args)
  const filters = { specific_domain: textOption(args, 'domain') }
  const job = await database.transaction(async (tx) => {
    await noteCommand(tx, services, { action: 'workspaces.autoGroup', applicationId })
    return startGrouping(tx, applicationId, filters, clock.now())
  })
  printObject(output, job)
}

export const workspacesAssign: StoreRun = async (services, args, output) => {
  const { database } = services.storage
  const { id: applicationId, default_workspace_id: usual } = await findApplication(services, args)
  const word = needWord(args, 0, 'WORKSPACE')
  const { grant } = await findNamedGrant(database, applicationId, needWord(args, 1, 'GRANT'))
  const assigned = await database.transaction(async (tx) => {
    const done = await assignGrants(tx, applicationId, word === 'default' ? usual : word, { assign_grants: [grant.id] })
    await noteCommand(tx, services, { action: 'workspaces.manualAssign', applicationId, target: done.workspace_id })
    return done
  })
  printObject(output, assigned)
}
