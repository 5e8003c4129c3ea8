/**
 * Requests sent from the explorer. They are stored in this browser tab only, limited in number and size, without
 * secrets, and deleted on sign-out.
 */
import { readHistory, storeHistory } from '../../session-storage.ts'
import type { Filled } from './request.ts'

export interface SentRequest {
  at: number
  application: string
  operation: string
  filled: Filled
  status: number
  milliseconds: number
}

const maxEntries = 30
const maxBytes = 20_000

const isSecret = (name: string): boolean =>
  /secret|password|token|^code$|credential_data|private_key|api_key|^pin$/i.test(name)

/** A copy of the value without secrets. */
export function withoutSecrets(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutSecrets)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .filter(([name]) => !isSecret(name))
      .map(([name, each]) => [name, withoutSecrets(each)]),
  )
}

const plainQuery = (query: Filled['query']): Filled['query'] =>
  Object.fromEntries(Object.entries(query).filter(([name]) => name === 'page_token' || !isSecret(name)))

export const safe = ({ path, query, body }: Filled): Filled => ({
  path,
  query: plainQuery(query),
  body: withoutSecrets(body),
})

export function historyOf(application: string): SentRequest[] {
  try {
    const all: SentRequest[] = JSON.parse(readHistory() ?? '[]')
    return all.filter((each) => each.application === application)
  } catch {
    return []
  }
}

/** Adds a request. The oldest are removed, and a body that is too large is left out. */
export function remember(sent: SentRequest): void {
  let all: SentRequest[] = []
  try {
    all = JSON.parse(readHistory() ?? '[]')
  } catch {
    // An unreadable history is replaced by an empty one.
  }
  const filled = safe(sent.filled)
  const isLarge = JSON.stringify(filled).length > maxBytes
  const entry: SentRequest = { ...sent, filled: isLarge ? { ...filled, body: undefined } : filled }
  storeHistory(JSON.stringify([entry, ...all].slice(0, maxEntries)))
}
