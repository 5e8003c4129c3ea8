/** An export as lines: assigns lines to accounts, and reads the accounts one after another. */

import type { FileHandle } from 'node:fs/promises'
import { decodeUtf8 } from '@waypost/platform/json/guard'
import { isObject } from '@waypost/platform/json/values'
import { addRemarks, noRemarks, type Remark, type Remarks } from './report.ts'
import { type AccountItems, accountItems } from './v2-objects.ts'

export const maxLineLength = 8 * 1_048_576
const chunkBytes = 1_048_576
/** Lines within this distance are read together. */
const closeBytes = 65_536

interface Line {
  number: number
  offset: number
  length: number
  blank: boolean
  /** The value; undefined if there is a problem. */
  value: unknown
  problem?: string
}

const newline = 0x0a

/** The lines of a file up to `max` bytes. A line that is too long is reported, not loaded. */
export async function* readLines(handle: FileHandle, max = Number.POSITIVE_INFINITY): AsyncGenerator<Line> {
  let parts: Buffer[] = []
  let [length, offset, position, number] = [0, 0, 0, 0]
  const finish = (): Line => {
    number++
    const bytes = length > maxLineLength ? undefined : Buffer.concat(parts)
    const line = { number, offset, length, ...parseLine(bytes, number === 1) }
    parts = []
    offset += length + 1
    length = 0
    return line
  }
  while (position < max) {
    const { buffer, bytesRead } = await handle.read({ buffer: Buffer.allocUnsafe(chunkBytes), position })
    if (bytesRead === 0) break
    position += bytesRead
    let rest = buffer.subarray(0, bytesRead)
    for (let end = rest.indexOf(newline); end !== -1; end = rest.indexOf(newline)) {
      add(rest.subarray(0, end))
      yield finish()
      rest = rest.subarray(end + 1)
    }
    add(rest)
  }
  if (length > 0) yield finish()

  function add(bytes: Buffer): void {
    length += bytes.length
    if (length <= maxLineLength) parts.push(bytes)
    else parts = []
  }
}

function parseLine(bytes: Buffer | undefined, first: boolean): Pick<Line, 'blank' | 'value' | 'problem'> {
  if (bytes === undefined) return broken(`is longer than ${maxLineLength / 1_048_576} MiB`)
  const decoded = decodeUtf8(bytes)
  if (decoded === undefined) return broken('is not UTF-8')
  const text = first ? decoded.replace(/^\uFEFF/, '') : decoded
  if (text.trim() === '') return { blank: true, value: undefined }
  try {
    return { blank: false, value: JSON.parse(text) }
  } catch {
    return broken('is not JSON')
  }
}

const broken = (problem: string) => ({ blank: false, value: undefined, problem })

/** Offset, length and number of each line as three consecutive numbers, because there can be millions. */
type Places = number[]

interface Index {
  accounts: Map<string, Places>
  /** Calendars and events by account. */
  objects: Map<string, Places>
  /** Events without an account, by calendar. */
  ofCalendar: Map<string, Places>
  /** The account of a calendar; null if two accounts have a calendar with this id. */
  owners: Map<string, string | null>
  /** Whether an unreadable line may belong to any account. */
  unclear: boolean
  remarks: Remarks
}

const text = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined)

function addPlace(map: Map<string, Places>, key: string, { offset, length, number }: Line): void {
  const places = map.get(key)
  if (places) places.push(offset, length, number)
  else map.set(key, [offset, length, number])
}

const about = (line: Line, object: Remark['object'], reason: string): Remark => ({
  account: isObject(line.value) ? (text(line.value.account_id) ?? null) : null,
  object,
  id: isObject(line.value) ? (text(line.value.id) ?? null) : null,
  place: `line ${line.number}`,
  reason,
})

/** Assigns one line; returns its problem, if any. */
function fileLine(index: Index, line: Line): Remark | undefined {
  const { value } = line
  if (line.problem !== undefined) return about(line, 'file', line.problem)
  if (!isObject(value)) return about(line, 'file', 'is not an object')
  const account = text(value.account_id)
  switch (value.object) {
    case 'account': {
      const id = text(value.id) ?? account
      if (id === undefined) return about(line, 'account', 'id: is required')
      if (index.accounts.has(id)) return about(line, 'account', `the account ${id} stands in the file twice`)
      addPlace(index.accounts, id, line)
      return undefined
    }
    case 'calendar': {
      if (account === undefined) return about(line, 'calendar', 'account_id: is required')
      const id = text(value.id)
      if (id !== undefined) index.owners.set(id, (index.owners.get(id) ?? account) === account ? account : null)
      addPlace(index.objects, account, line)
      return undefined
    }
    case 'event': {
      const calendar = text(value.calendar_id)
      if (account !== undefined) addPlace(index.objects, account, line)
      else if (calendar !== undefined) addPlace(index.ofCalendar, calendar, line)
      else return about(line, 'event', 'account_id or calendar_id: is required')
      return undefined
    }
    default:
      return about(line, 'file', 'object: must be account, calendar or event')
  }
}

/** Assigns events that only name their calendar to its account, and reports those that belong to none. */
function settle(index: Index): void {
  for (const [calendar, places] of index.ofCalendar) {
    const owner = index.owners.get(calendar)
    const known = owner ? (index.objects.get(owner) ?? []) : undefined
    if (known && owner) index.objects.set(owner, joined(known, places))
    else {
      const why = owner === null ? 'is the id of calendars of two accounts' : 'is no calendar of the file'
      addRemarks(index.remarks, [orphans(places, { account: null, reason: `calendar_id: ${calendar} ${why}` })])
      index.unclear = true
    }
  }
  index.ofCalendar.clear()
  for (const [account, places] of index.objects) {
    if (index.accounts.has(account)) continue
    addRemarks(index.remarks, [
      orphans(places, { account, reason: `account_id: ${account} is no account of the file` }),
    ])
    index.objects.delete(account)
  }
}

function joined(first: Places, second: Places): Places {
  const lines = Array.from({ length: (first.length + second.length) / 3 }, (_, at) => {
    const list = at * 3 < first.length ? first : second
    const from = at * 3 < first.length ? at * 3 : at * 3 - first.length
    return list.slice(from, from + 3)
  })
  return lines.sort((a, b) => (a[0] ?? 0) - (b[0] ?? 0)).flat()
}

function orphans(places: Places, { account, reason }: Pick<Remark, 'account' | 'reason'>): Remark {
  const count = places.length / 3
  const which = count === 1 ? '' : ` (${count} objects, this is the first)`
  return { account, object: 'file', id: null, place: `line ${places[2] ?? 0}`, reason: `${reason}${which}` }
}

export interface IndexedLines {
  accounts: number
  remarks: Remarks
  items(): AsyncIterable<AccountItems>
}

/** Reads the file once and returns its accounts, which are read again one by one. */
export async function indexLines(handle: FileHandle): Promise<IndexedLines> {
  const index: Index = {
    accounts: new Map(),
    objects: new Map(),
    ofCalendar: new Map(),
    owners: new Map(),
    unclear: false,
    remarks: noRemarks(),
  }
  for await (const line of readLines(handle)) {
    const problem = line.blank ? undefined : fileLine(index, line)
    if (!problem) continue
    addRemarks(index.remarks, [problem])
    if (problem.object !== 'account') index.unclear = true
  }
  settle(index)
  const whole = !index.unclear
  const items = async function* (): AsyncGenerator<AccountItems> {
    for (const [id, places] of index.accounts) {
      yield await readAccount(handle, { whole, places: [...places], objects: index.objects.get(id) ?? [] })
    }
  }
  return { accounts: index.accounts.size, remarks: index.remarks, items }
}

async function readAccount(
  handle: FileHandle,
  at: { whole: boolean; places: Places; objects: Places },
): Promise<AccountItems> {
  const [own] = await readPlaces(handle, at.places)
  const nested = accountItems(`line ${own?.number ?? 0}`, own?.value)
  const items: AccountItems = { ...nested, whole: at.whole && own?.problem === undefined }
  for (const line of await readPlaces(handle, at.objects)) {
    const item = { place: `line ${line.number}`, value: line.value }
    const isCalendar = isObject(line.value) && line.value.object === 'calendar'
    const list = isCalendar ? items.calendars : items.events
    list.push(item)
  }
  return items
}

/** Reads the lines at the places in order; adjacent ones are read together. */
async function readPlaces(handle: FileHandle, places: Places): Promise<Line[]> {
  const lines: Line[] = []
  for (let at = 0; at < places.length; ) {
    const start = places[at] ?? 0
    let next = at
    let end = start
    do {
      end = (places[next] ?? 0) + (places[next + 1] ?? 0)
      next += 3
    } while (next < places.length && (places[next] ?? 0) - end < closeBytes && end - start < chunkBytes)
    const buffer = Buffer.allocUnsafe(end - start)
    await handle.read({ buffer, position: start, length: end - start })
    for (; at < next; at += 3) {
      const [offset = 0, length = 0, number = 0] = places.slice(at, at + 3)
      const bytes = buffer.subarray(offset - start, offset - start + length)
      lines.push({ number, offset, length, ...parseLine(bytes, number === 1) })
    }
  }
  return lines
}
