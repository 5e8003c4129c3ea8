/** Several calls as one HTTP request: JSON with a request in each part (https://learn.microsoft.com/graph/json-batching). */
import { recordOf } from '../shared/refusal.ts'

export interface Part {
  method: string
  /** With the version's slash and the query: `/me/messages?$top=1`. */
  url: string
  headers: Readonly<Record<string, string>>
  body?: unknown
}

export interface PartAnswer {
  status: number
  /** By their names in lower case. */
  headers: ReadonlyMap<string, string>
  body: unknown
}

/** The body of a batch. The ids of parts are their places. */
export const writeBatch = (parts: readonly Part[]): string =>
  JSON.stringify({
    requests: parts.map(({ method, url, headers, body }, place) => ({
      id: `${place}`,
      method,
      url,
      headers: body === undefined ? headers : { ...headers, 'Content-Type': 'application/json' },
      ...(body === undefined ? {} : { body }),
    })),
  })

/** The answers of a batch in the order of their calls; undefined for a call without an answer. */
export function readBatch(value: unknown, count: number): (PartAnswer | undefined)[] {
  const answers = Array.from<PartAnswer | undefined>({ length: count }).fill(undefined)
  const { responses } = recordOf(value)
  for (const each of Array.isArray(responses) ? responses.slice(0, count * 2).map(recordOf) : []) {
    const place = Number(each.id)
    const { status } = each
    if (!Number.isInteger(place) || place < 0 || place >= count || typeof status !== 'number') continue
    answers[place] = { status, headers: headersOf(each.headers), body: each.body }
  }
  return answers
}

const headersOf = (value: unknown): Map<string, string> =>
  new Map(
    Object.entries(recordOf(value)).flatMap(([name, each]) =>
      typeof each === 'string' ? [[name.toLowerCase(), each] as const] : [],
    ),
  )
