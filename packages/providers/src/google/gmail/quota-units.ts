/**
 * The quota units of a call to the Gmail API (https://developers.google.com/workspace/gmail/api/reference/quota). Google
 * counts every call of a batch.
 */
import type { Method } from '../../shared/exchange.ts'

interface Units {
  method: Method
  /** The path below `users/me`; `*` is any id. */
  path: string
  units: number
}

const table: readonly Units[] = [
  { method: 'GET', path: 'messages', units: 5 },
  { method: 'GET', path: 'messages/*', units: 5 },
  { method: 'GET', path: 'messages/*/attachments/*', units: 5 },
  { method: 'POST', path: 'messages/send', units: 100 },
  { method: 'POST', path: 'messages/*/modify', units: 5 },
  { method: 'POST', path: 'messages/*/trash', units: 5 },
  { method: 'DELETE', path: 'messages/*', units: 10 },
  { method: 'GET', path: 'threads', units: 10 },
  { method: 'GET', path: 'threads/*', units: 10 },
  { method: 'POST', path: 'threads/*/modify', units: 10 },
  { method: 'POST', path: 'threads/*/trash', units: 10 },
  { method: 'GET', path: 'drafts', units: 5 },
  { method: 'GET', path: 'drafts/*', units: 5 },
  { method: 'POST', path: 'drafts', units: 10 },
  { method: 'PUT', path: 'drafts/*', units: 15 },
  { method: 'POST', path: 'drafts/send', units: 100 },
  { method: 'DELETE', path: 'drafts/*', units: 10 },
  { method: 'GET', path: 'labels', units: 1 },
  { method: 'GET', path: 'labels/*', units: 1 },
  { method: 'POST', path: 'labels', units: 5 },
  { method: 'PATCH', path: 'labels/*', units: 5 },
  { method: 'DELETE', path: 'labels/*', units: 5 },
  { method: 'GET', path: 'history', units: 2 },
  { method: 'GET', path: 'profile', units: 1 },
  { method: 'GET', path: 'settings/sendAs', units: 1 },
  { method: 'POST', path: 'watch', units: 100 },
]

const byParts = table.map(({ method, path, units }) => ({ method, parts: path.split('/'), units }))

/** The units of a call; undefined for a method without a known price. */
export function quotaUnitsOf(method: Method, path: string): number | undefined {
  const parts = path.replace(/^users\/[^/]+\//, '').split('/')
  const found = byParts.filter((known) => known.method === method && fits(known.parts, parts))
  return (found.find((known) => !known.parts.includes('*')) ?? found[0])?.units
}

const fits = (known: readonly string[], parts: readonly string[]): boolean =>
  known.length === parts.length && known.every((part, index) => part === '*' || part === parts[index])
