/** Virtual accounts: calendars that the service itself stores. The identifier is any text; there is no sign-in. */
import { defineProvider } from '../provider.ts'
import { calendars, removePiece } from './calendars.ts'
import { events } from './events.ts'
import { availability } from './free-busy.ts'
import { tellGuestsOfAccount } from './invitations.ts'
import { limits } from './limits.ts'
import { receiveReply } from './replies.ts'
import { open, type Session } from './session.ts'

export const virtual = defineProvider<Session>()({
  kind: 'virtual-calendar',
  local: { open, receiveReply, leave: tellGuestsOfAccount, removePiece },
  limits,
  remedies: Object.fromEntries(
    ['messages', 'drafts', 'threads', 'folders', 'attachments', 'contacts', 'contactGroups'].map((resource) => [
      resource,
      'a virtual account has calendars and events alone',
    ]),
  ),
  authenticate: async (settings) => {
    const email = String(settings.email)
    return { email, name: null, providerUserId: null, scope: [], settings: { email } }
  },
  calendars,
  events,
  availability,
})
