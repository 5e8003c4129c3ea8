/**
 * Accounts at Microsoft, personal ones and those of organizations: mail, calendars and contacts by Graph. An application is
 * used in a user's name, or lets itself into the mailboxes of an organization whose administrator gave consent.
 */
import { defineProvider } from '../provider.ts'
import { authenticate } from './authenticate.ts'
import { check } from './check.ts'
import { limits } from './limits.ts'
import { oauth } from './oauth.ts'
import { receive } from './push.ts'
import { scopes } from './scopes.ts'
import { open, type Session } from './session.ts'
import { changes } from './watch.ts'

export const microsoft = defineProvider<Session>()({
  kind: 'microsoft',
  authenticate,
  oauth,
  scopes,
  limits,
  check,
  open,
  changes,
  receive,
})
