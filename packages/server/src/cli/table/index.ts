/** All commands in the order of the help. To add one, add a record to the file of its noun, and its code. */
import type { Program } from '../program/command.ts'
import { apps, keys } from './applications.ts'
import { backup, restore } from './backup.ts'
import { doctor } from './doctor.ts'
import { grants } from './grants.ts'
import { completion, dashboard, db, dev, importV2, mcp, secrets, serve, version } from './installation.ts'
import { jobs } from './jobs.ts'
import { people } from './people.ts'
import { serviceAccounts } from './service-accounts.ts'
import { webhooks } from './webhooks.ts'
import { workspaces } from './workspaces.ts'

export const program: Program = {
  serve,
  dev,
  apps,
  keys,
  grants,
  workspaces,
  webhooks,
  jobs,
  people,
  'service-accounts': serviceAccounts,
  dashboard,
  mcp,
  'import-v2': importV2,
  backup,
  restore,
  db,
  secrets,
  doctor,
  version,
  completion,
}
