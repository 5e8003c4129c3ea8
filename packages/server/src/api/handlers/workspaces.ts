import { needApplication } from '../../applications/applications.ts'
import { startGrouping } from '../../grants/auto-grouping.ts'
import {
  allWorkspaces,
  assignGrants,
  changeWorkspace,
  createWorkspace,
  emptyWorkspace,
  lockedApplication,
  needWorkspace,
  removeWorkspace,
} from '../../grants/workspaces.ts'
import type { Services } from '../../services/services.ts'
import type { Handlers } from '../pipeline/handler-types.ts'

export const workspaces = ({ storage: { database, clock } }: Pick<Services, 'storage'>): Handlers['workspaces'] => ({
  list: async ({ application }) => allWorkspaces(database, await needApplication(database, application.id)),
  create: ({ application, body, write }) =>
    write(async (tx) => {
      await lockedApplication(tx, application.id)
      return createWorkspace(tx, application.id, body, clock.now())
    }),
  autoGroup: ({ application, body, write }) => write((tx) => startGrouping(tx, application.id, body, clock.now())),
  get: async ({ application, params }) =>
    needWorkspace(database, await needApplication(database, application.id), params.workspace_id),
  update: ({ application, params, body, write }) =>
    write(async (tx) => {
      const row = await lockedApplication(tx, application.id)
      return changeWorkspace(tx, row, params.workspace_id, body, clock.now())
    }),
  delete: async ({ application, params, signal, write }) => {
    await emptyWorkspace(database, application.id, params.workspace_id, signal)
    return write((tx) => removeWorkspace(tx, application.id, params.workspace_id))
  },
  manualAssign: ({ application, params, body, write }) =>
    write((tx) => assignGrants(tx, application.id, params.workspace_id, body)),
})
