import { linkAddress, makeLink } from '../applications/admin-sessions.ts'
import { noteCommand } from './audit.ts'
import type { StoreRun } from './program/command.ts'
import { printObject } from './program/output.ts'

export const dashboardLink: StoreRun = async (services, _args, output) => {
  const { config } = services
  const { database, clock } = services.storage
  const token = await database.transaction(async (tx) => {
    await noteCommand(tx, services, { action: 'dashboard.link' })
    return makeLink(tx, clock.now())
  })
  printObject(output, { link: linkAddress(config.baseUrl, token) })
  output.progress('The first person to open it becomes the administrator. Do not share it.')
}
