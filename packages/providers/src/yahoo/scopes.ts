/** Yahoo's scopes, and which one each operation needs. They are fixed when the application is registered there. */
import type { ScopeNames } from '../scope-names.ts'
import { forAll, operationScopes } from '../shared/operation-scopes.ts'

/** A scope as Yahoo spells it. */
export const canonicalScope = (scope: string): string => scope.trim().toLowerCase()

/** Identifies the account. `profile` would add the name, but is not requested because it must be registered. */
export const identityScope = ['openid', 'email']

/** Mail: reading, writing and sending. */
export const defaultScope = [...identityScope, 'mail-w']

/** The scopes that give access to a mailbox. */
export const mailScopes: readonly string[] = ['mail-r', 'mail-w']

const readMail = [mailScopes]
const changeMail = [['mail-w']]

export const scopes = operationScopes({
  messages: { read: readMail, change: changeMail },
  drafts: { read: readMail, change: changeMail },
  threads: { read: readMail, change: changeMail },
  folders: { read: readMail, change: changeMail },
  attachments: forAll(readMail),
})

export const scopeNames: ScopeNames = {
  name: 'Yahoo',
  canonicalScope,
  known: new Set([...identityScope, 'profile', ...mailScopes]),
}
