/**
 * Readers for JSON that others wrote. Each checks a value and gives it its type, or throws an error that describes
 * the problem. Objects are checked in place and keep fields that no reader names, so that they can be sent back
 * unchanged. An optional field that is null becomes undefined. Errors never repeat values.
 */
import { isObject } from './values.ts'

/** Names the position of the problem in the response, such as `items[3].start`, and the problem. */
export class MalformedJson extends Error {
  override readonly name = 'MalformedJson'
  readonly path: string
  readonly problem: string

  constructor(problem: string, path = '') {
    super(`${path === '' ? 'it' : path} ${problem}`)
    this.problem = problem
    this.path = path
  }
}

/** Called for each list item that is skipped because it cannot be read. */
export type OnDropped = (problem: MalformedJson) => void
export type Reader<T> = (value: unknown, onDropped: OnDropped) => T
export type Read<R> = R extends Reader<infer T> ? T : never

const wrong = (value: unknown, wanted: string): MalformedJson =>
  new MalformedJson(value === undefined ? 'is missing' : `is no ${wanted}`)

/** The same problem with the path extended by one step. */
function within(step: string, error: unknown): unknown {
  if (!(error instanceof MalformedJson)) return error
  const path = error.path === '' || error.path.startsWith('[') ? error.path : `.${error.path}`
  return new MalformedJson(error.problem, `${step}${path}`)
}

export const text: Reader<string> = (value) => {
  if (typeof value === 'string') return value
  throw wrong(value, 'text')
}

export const number: Reader<number> = (value) => {
  if (typeof value === 'number') return value
  throw wrong(value, 'number')
}

export const wholeNumber: Reader<number> = (value) => {
  if (Number.isSafeInteger(value)) return Number(value)
  throw wrong(value, 'whole number')
}

/** A non-negative whole number. */
export const count: Reader<number> = (value) => {
  if (Number.isSafeInteger(value) && Number(value) >= 0) return Number(value)
  throw wrong(value, 'count')
}

export const flag: Reader<boolean> = (value) => {
  if (typeof value === 'boolean') return value
  throw wrong(value, 'boolean')
}

/** A text that passes the given test. */
export const textThat =
  (isGood: (value: string) => boolean, wanted: string): Reader<string> =>
  (value) => {
    if (typeof value === 'string' && isGood(value)) return value
    throw wrong(value, wanted)
  }

/** A text that is not empty. */
export const nonEmptyText = textThat((value) => value !== '', 'non-empty text')

/** A text that can be parsed as a date and time. */
export const instant = textThat((value) => Number.isFinite(Date.parse(value)), 'time')

/** A whole number written as text, because it may be large. */
export const digits = textThat((value) => /^-?\d{1,19}$/.test(value), 'whole number')

/** A reader with a default for an absent value. */
export const orElse =
  <T>(read: Reader<T>, other: T): Reader<T> =>
  (value, onDropped) =>
    value === undefined || value === null ? other : read(value, onDropped)

type Fields = Readonly<Record<string, Reader<unknown>>>
type Values<F extends Fields> = { [K in keyof F]: Read<F[K]> }
type Plain<T> = { [K in keyof T]: T[K] }
type ObjectOf<R extends Fields, O extends Fields> = Plain<Values<R> & Partial<Values<O>>>

/** An object with required and optional fields. */
export function object<R extends Fields, O extends Fields>(required: R, optional: O): Reader<ObjectOf<R, O>> {
  const needed = Object.entries(required)
  const others = Object.entries(optional)
  return (value, onDropped) => {
    if (!isObject(value)) throw wrong(value, 'object')
    for (const [name, read] of needed) readField(value, name, read, onDropped)
    for (const [name, read] of others) {
      const field = value[name]
      if (field === undefined) continue
      if (field === null) value[name] = undefined
      else readField(value, name, read, onDropped)
    }
    // Every field was checked above.
    return value as ObjectOf<R, O>
  }
}

function readField(holder: Record<string, unknown>, name: string, read: Reader<unknown>, onDropped: OnDropped): void {
  const before = holder[name]
  try {
    const field = read(before, onDropped)
    if (field !== before) holder[name] = field
  } catch (error) {
    throw within(name, error)
  }
}

const needList = (value: unknown): unknown[] => {
  if (Array.isArray(value)) return value
  throw wrong(value, 'list')
}

/** A list in which every item must be valid. */
export const list =
  <T>(read: Reader<T>): Reader<T[]> =>
  (value, onDropped) => {
    const items = needList(value)
    for (const [place, item] of items.entries()) {
      try {
        items[place] = read(item, onDropped)
      } catch (error) {
        throw within(`[${place}]`, error)
      }
    }
    return items as T[]
  }

/**
 * A list is unusable with more items than this, which is more than any page has, or with too many unreadable ones.
 */
const maxItems = 10_000
const maxDropped = 100

/** A list from which unreadable items are left out. */
export const readableItems =
  <T>(read: Reader<T>): Reader<T[]> =>
  (value, onDropped) => {
    const items = needList(value)
    if (items.length > maxItems) throw new MalformedJson(`has more than ${maxItems} items`)
    let dropped = 0
    return items.flatMap((item, place) => {
      try {
        return [read(item, onDropped)]
      } catch (error) {
        if (!(error instanceof MalformedJson)) throw error
        dropped += 1
        if (dropped > maxDropped) throw new MalformedJson(`has more than ${maxDropped} items that cannot be read`)
        onDropped(new MalformedJson(error.problem, `[${place}]${error.path === '' ? '' : `.${error.path}`}`))
        return []
      }
    })
  }

/** An object whose fields all have the same type. */
export const record =
  <T>(read: Reader<T>): Reader<Record<string, T>> =>
  (value, onDropped) => {
    if (!isObject(value)) throw wrong(value, 'object')
    for (const name of Object.keys(value)) readField(value, name, read, onDropped)
    return value as Record<string, T>
  }
