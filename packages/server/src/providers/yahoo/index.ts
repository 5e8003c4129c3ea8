/**
 * Accounts at Yahoo: sign-in by OAuth, or an app password; mail by its IMAP and SMTP servers. Contacts that an application
 * adds, and those that the mail names, are kept by the service.
 */
import { keptContactGroups } from '../contacts/contact-groups.ts'
import { keptContacts } from '../contacts/contacts.ts'
import { mailOfImap } from '../imap/mail.ts'
import type { Session } from '../imap/session.ts'
import { defineProvider } from '../provider.ts'
import { authenticate } from './authenticate.ts'
import { check } from './check.ts'
import { form } from './form.ts'
import { contactMaxima, limits } from './limits.ts'
import { oauth } from './oauth.ts'
import { scopes } from './scopes.ts'
import { isByPassword, open } from './session.ts'
import { changes } from './watch.ts'

const common = {
  kind: 'yahoo',
  authenticate,
  form,
  limits,
  open,
  ...mailOfImap,
  keeps: ['contacts', 'contactGroups'],
  contacts: keptContacts(contactMaxima),
  contactGroups: keptContactGroups,
  changes,
} as const

/** With an app password: nothing is a matter of scopes. */
const withPassword = defineProvider<Session>()(common)

const withToken = defineProvider<Session>()({ ...common, oauth, scopes, check })

export const yahoo = defineProvider<Session>()({
  ...withToken,
  adapterFor: (grant) => (isByPassword(grant) ? withPassword : withToken),
})
