/**
 * What was sent from here: kept in this tab of the browser alone, so many and so large, without secrets, and gone when
 * somebody signs out.
 */
import { keep, readKept } from '../../kept.ts'
import type { Filled } from './request.ts'

export interface Sent {
  at: number
  application: string
  operation: string
  filled: Filled
  status: number
  milliseconds: number
}

const most = 30
const mostBytes = 20_000

const isSecret = (name: string): boolean =>
  /secret|password|token|^code$|credential_data|private_key|api_key|^pin$/i.test(name)

/** The value without what nobody else may know. */
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

export function historyOf(application: string): Sent[] {
  try {
    const all: Sent[] = JSON.parse(readKept() ?? '[]')
    return all.filter((each) => each.application === application)
  } catch {
    return []
  }
}

/** Adds what was sent; the oldest go, and what is too large is kept without its body. */
export function remember(sent: Sent): void {
  let all: Sent[] = []
  try {
    all = JSON.parse(readKept() ?? '[]')
  } catch {
    // What cannot be read is begun anew.
  }
  const filled = safe(sent.filled)
  const isLarge = JSON.stringify(filled).length > mostBytes
  const entry: Sent = { ...sent, filled: isLarge ? { ...filled, body: undefined } : filled }
  keep(JSON.stringify([entry, ...all].slice(0, most)))
}
