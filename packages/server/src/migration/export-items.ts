/** Objects of an export: their place in the file, and whether the service can store them at all. */
import { isObject } from '@waypost/platform/json/values'

export interface Item {
  place: string
  value: unknown
}

export interface AccountItems {
  place: string
  account: unknown
  calendars: Item[]
  events: Item[]
  /** A problem with the account's lists. */
  problem?: string
  /**
   * False if the file lacks a part of the account or it cannot be read: missing objects then do not count as deleted.
   */
  whole: boolean
}

/** The whole file cannot be read: nothing was imported. */
export class ExportUnreadable extends Error {
  override readonly name = 'ExportUnreadable'
}

const deepest = 32

/** Why an object cannot be stored, or undefined. `JSON.parse` accepts all of this. */
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

const itemsOf = (list: unknown, place: string): Item[] =>
  Array.isArray(list) ? list.map((value: unknown, index) => ({ place: `${place}[${index}]`, value })) : []

/** Splits an account into its lists of calendars and events. */
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
