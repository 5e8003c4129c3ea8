/** The objects of an export as they stand in the file: where each was found, and whether the service could hold it at all. */

export interface Item {
  place: string
  value: unknown
}

export interface AccountItems {
  place: string
  account: unknown
  calendars: Item[]
  events: Item[]
  /** What is wrong with the account's lists. */
  problem?: string
  /** False when the file lacks something of the account or it cannot be read: what is missing then counts not as deleted. */
  whole: boolean
}

/** The file as a whole cannot be read: nothing was imported. */
export class ExportUnreadable extends Error {
  override readonly name = 'ExportUnreadable'
}

const deepest = 32

/** Why an object can be held by no store, or undefined. `JSON.parse` lets all of this through. */
export function flawOf(value: unknown, depth = 0): string | undefined {
  if (typeof value === 'string') {
    if (value.includes('\0')) return 'holds a text with a NUL character'
    return value.isWellFormed() ? undefined : 'holds a text with half a surrogate pair'
  }
  if (typeof value !== 'object' || value === null) return undefined
  if (depth >= deepest) return `is nested more than ${deepest} levels deep`
  for (const [name, member] of Object.entries(value)) {
    if (name === '__proto__') return 'holds a key that is not allowed'
    const flaw = flawOf(member, depth + 1)
    if (flaw !== undefined) return flaw
  }
  return undefined
}

export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const itemsOf = (list: unknown, place: string): Item[] =>
  Array.isArray(list) ? list.map((value: unknown, index) => ({ place: `${place}[${index}]`, value })) : []

/** Takes an account with its lists of calendars and events apart. */
export function accountItems(place: string, value: unknown): AccountItems {
  if (!isObject(value)) return { place, account: value, calendars: [], events: [], whole: false }
  const { calendars, events, ...account } = value
  const wrong = Object.entries({ calendars, events }).find(([, list]) => list !== undefined && !Array.isArray(list))
  return {
    place,
    account,
    calendars: itemsOf(calendars, `${place}.calendars`),
    events: itemsOf(events, `${place}.events`),
    whole: Array.isArray(calendars) && Array.isArray(events),
    ...(wrong ? { problem: `${wrong[0]}: must be a list` } : {}),
  }
}
