/** An answer as facts that can be compared between kinds: ids, own addresses and times of writing are the same for all. */
import type { Json } from '../conformance/accounts.ts'
import type { Asked, Names } from './run.ts'

/** Values by the place where they stand: `status`, `error.type`, `data.when.start_time`, `data.0.name`. */
export type Facts = Map<string, string>

/** What a provider names as it likes. */
const ids = /^(?:id|\w+_id|ical_uid|\w+_ids|groups|folders)$/
/** What stands for the account itself, or for a folder that all accounts have. */
const named = /^(?:email|folders)$/
const times = /^(?:created_at|updated_at)$/
/** Headers that every message of the tests was given; servers add others on the way. */
const ownHeaders = /^(?:subject|from|to|cc|reply-to|message-id|in-reply-to|references|x-campaign)$/i

/** Undefined where the provider has no such operation or field, which other tables of the same page say. */
export function factsOf({ answer, ask }: Asked, names: Names, now: number): Facts | undefined {
  if (!answer) return undefined
  const { status, body } = answer
  if (body?.error?.type === 'not_supported_by_provider') return undefined
  const facts: Facts = new Map([['status', String(status)]])
  if (body?.error !== undefined) return facts.set('error.type', String(body.error.type ?? body.error))
  const known = new Map([...names].map(([name, id]) => [id, `{${name}}`]))
  const read = (value: Json, place: string, name: string): void => {
    if (Array.isArray(value)) {
      for (const [index, item] of value.entries()) read(item, `${place}.${index}`, name)
      facts.set(`${place}.length`, String(value.length))
    } else if (typeof value === 'object' && value !== null) {
      for (const [key, item] of Object.entries(value)) read(item, `${place}.${key}`, key)
    } else facts.set(place, textOf(value, name))
  }
  const textOf = (value: unknown, name: string): string => {
    if (typeof value === 'string' && named.test(name) && known.has(value)) return known.get(value) ?? ''
    if (typeof value === 'string' && value !== '' && ids.test(name) && name !== 'content_id') return 'an id'
    if (times.test(name)) return value === null ? 'null' : 'a time'
    if (name === 'date' && typeof value === 'number' && Math.abs(value - now) < 600) return 'now'
    if (/^(?:html_link|picture_url)$/.test(name)) return 'a link'
    if (name === 'path' || name === 'error') return 'a text'
    return JSON.stringify(value)
  }
  if (typeof body !== 'object' || Buffer.isBuffer(body)) return facts.set('body', JSON.stringify(String(body)))
  if (body.next_cursor) facts.set('next_cursor', 'an id')
  if (body.data !== undefined) read(chosen(body.data, ask), 'data', '')
  return facts
}

/** The fields that a kind said it ignored, by the first word of the request: later answers lack them too. */
export function ignoredFields(requested: readonly Asked[]): Map<string, Set<string>> {
  const ignored = new Map<string, Set<string>>()
  for (const { ask, answer } of requested) {
    const names = answer?.headers.get('x-ignored-fields')?.split(', ') ?? []
    for (const name of names) ignored.set(resourceOf(ask), (ignored.get(resourceOf(ask)) ?? new Set()).add(name))
  }
  return ignored
}

export const resourceOf = ({ name }: Asked['ask']): string => name.split(':')[0] ?? ''

function chosen(data: Json, { only, sorted }: Asked['ask']): Json {
  if (!Array.isArray(data)) return withoutForeignHeaders(data)
  const items = data
    .filter((item) => only === undefined || String(item.name ?? item.title ?? item.subject ?? '').startsWith(only))
    .map(withoutForeignHeaders)
  if (sorted === undefined) return items
  return items.toSorted((a, b) => String(a[sorted]).localeCompare(String(b[sorted])))
}

function withoutForeignHeaders(item: Json): Json {
  if (!Array.isArray(item?.headers)) return item
  return { ...item, headers: item.headers.filter(({ name }: Json) => ownHeaders.test(name)) }
}
