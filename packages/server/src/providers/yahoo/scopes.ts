/** Yahoo's scopes, and which one each operation needs. They are fixed when the application is registered there. */
import type { Capability } from '../operations.ts'
import type { ScopeNames } from '../scope-names.ts'

/** A scope as Yahoo spells it. */
export const canonicalScope = (scope: string): string => scope.trim().toLowerCase()

/** What says whose account it is. A name comes with `profile`, which is not asked for where nobody registered it. */
export const identityScope = ['openid', 'email']

/** Mail, for reading, writing and sending. */
export const defaultScope = [...identityScope, 'mail-w']

/** What lets anybody into a mailbox. */
export const mailScopes: readonly string[] = ['mail-r', 'mail-w']

const readMail = [mailScopes]
const changeMail = [['mail-w']]

export const scopes: { readonly [C in Capability]?: readonly (readonly string[])[] } = {
  'messages.list': readMail,
  'messages.get': readMail,
  'messages.clean': readMail,
  'messages.update': changeMail,
  'messages.delete': changeMail,
  'messages.send': changeMail,
  'drafts.list': readMail,
  'drafts.get': readMail,
  'drafts.create': changeMail,
  'drafts.update': changeMail,
  'drafts.delete': changeMail,
  'threads.list': readMail,
  'threads.get': readMail,
  'threads.update': changeMail,
  'threads.delete': changeMail,
  'folders.list': readMail,
  'folders.get': readMail,
  'folders.create': changeMail,
  'folders.update': changeMail,
  'folders.delete': changeMail,
  'attachments.get': readMail,
  'attachments.download': readMail,
}

export const scopeNames: ScopeNames = {
  name: 'Yahoo',
  canonicalScope,
  known: new Set([...identityScope, 'profile', ...mailScopes]),
}
