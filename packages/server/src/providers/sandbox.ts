/** The connectors that the sandbox application has from the start, with the scopes it is fixed to. */
import type { ProviderKind } from '@waypost/contract'

export const sandboxScopes: Partial<Record<ProviderKind, readonly string[]>> = {
  google: [
    'openid',
    'https://www.googleapis.com/auth/userinfo.email',
    'https://www.googleapis.com/auth/userinfo.profile',
    'https://www.googleapis.com/auth/gmail.modify',
    'https://www.googleapis.com/auth/gmail.send',
    'https://www.googleapis.com/auth/calendar',
    'https://www.googleapis.com/auth/contacts',
  ],
  microsoft: [
    'openid',
    'email',
    'profile',
    'offline_access',
    'User.Read',
    'Mail.ReadWrite',
    'Mail.Send',
    'Calendars.ReadWrite',
    'Contacts.ReadWrite',
  ],
}
