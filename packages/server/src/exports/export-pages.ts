/**
 * One page of an export. `next` is known before the first byte, so that an export that breaks continues after its last
 * complete page.
 */

import { createHash } from 'node:crypto'
import type { Contact, ContactExportQuery, EventExportQuery, MessageExportQuery, VCardVersion } from '@waypost/contract'
import { newCard } from '@waypost/formats/vcard/changes'
import { setShownName } from '@waypost/formats/vcard/names'
import type { JsonValue } from '@waypost/platform/json/guard'
import { withTextDescription } from '@waypost/providers/calendar/text-description'
import { type ExportedAccount, operationOf, plain } from './account.ts'
import { calendarFile, calendarPart } from './calendar-file.ts'
import { lineOf, mboxOf, zipOf } from './mail-files.ts'
import { listMessages, listWholeMessages, type ReadMessage, readAgain, readMessages } from './message-reading.ts'

export interface ExportPage {
  contentType: string
  filename: string
  next: JsonValue | undefined
  /** The number of objects, including those that are skipped. */
  count: number
  /**
   * Objects that the file lacks. Those of messages are known when the content was read. A message that was deleted
   * meanwhile is none of them.
   */
  skipped: readonly SkippedObject[]
  content: AsyncIterable<Uint8Array>
}

export interface SkippedObject {
  id: string
  problem: string
}

const ndjson = 'application/x-ndjson'
const yearSeconds = 31_557_600
/** The years before and after now that a calendar export covers unless the client names a window. */
const years = 2

async function* bytesOf(texts: Iterable<string | Uint8Array>): AsyncGenerator<Uint8Array> {
  for (const text of texts) yield typeof text === 'string' ? Buffer.from(text) : text
}

export async function messagePage(
  account: ExportedAccount,
  { format = 'mbox', ...query }: MessageExportQuery,
  position: JsonValue | undefined,
): Promise<ExportPage> {
  if (format === 'ndjson') {
    const { items, next } = await listWholeMessages(account, query, position)
    const page = { count: items.length, skipped: [], content: bytesOf(items.values().map(lineOf)) }
    return { contentType: ndjson, filename: 'messages.ndjson', next, ...page }
  }
  const { items, next } = await listMessages(account, query, position)
  const skipped: SkippedObject[] = []
  const messages = noting(readMessages(account, items, query), skipped)
  return { ...mailFile(format, messages), next, count: items.length, skipped }
}

const mailFile = (format: 'mbox' | 'eml', messages: AsyncIterable<ReadMessage>) =>
  format === 'mbox'
    ? { contentType: 'application/mbox', filename: 'messages.mbox', content: mboxOf(messages) }
    : { contentType: 'application/zip', filename: 'messages.zip', content: zipOf(messages) }

async function* noting(messages: AsyncIterable<ReadMessage>, skipped: SkippedObject[]): AsyncGenerator<ReadMessage> {
  for await (const message of messages) {
    if ('skipped' in message && message.skipped.type !== 'not_found') {
      skipped.push({ id: message.item.id, problem: `${message.skipped.type}: ${message.skipped.message}` })
    }
    yield message
  }
}

/** Another attempt at messages that a file lacks. It contains those that can be read now, and no notices. */
export function missingMessages(
  account: ExportedAccount,
  { format, ...query }: Omit<MessageExportQuery, 'format'> & { format: 'mbox' | 'eml' },
  ids: readonly string[],
): Pick<ExportPage, 'skipped' | 'content'> {
  const skipped: SkippedObject[] = []
  return { ...mailFile(format, readable(noting(readAgain(account, ids, query), skipped))), skipped }
}

async function* readable(messages: AsyncIterable<ReadMessage>): AsyncGenerator<ReadMessage> {
  for await (const message of messages) if ('source' in message) yield message
}

/** The window of a calendar export. It stays the same on later pages, because positions contain it. */
const exportWindow = ({ start, end }: { start?: number | undefined; end?: number | undefined }, now: number) => ({
  start: start ?? Math.min(now, end ?? now) - years * yearSeconds,
  end: end ?? Math.max(now, start ?? now) + years * yearSeconds,
})

/** A page of events. `now` is in milliseconds. */
export async function readEvents(
  account: ExportedAccount,
  query: Omit<EventExportQuery, 'format'>,
  { position, now }: { position: JsonValue | undefined; now: number },
) {
  const read = operationOf(account, 'events', 'import')
  const window = exportWindow(query, Math.floor(now / 1000))
  const { items, next } = await read({ ...query, ...window, select: undefined, whole: true }, position)
  return { items: items.map((item) => plain(item)), next }
}

/** An event that no iCalendar file can contain. */
export const noPlace = (id: string): SkippedObject => ({ id, problem: 'no iCalendar file can contain it' })

export async function eventPage(
  account: ExportedAccount,
  { format = 'ics', ...query }: EventExportQuery,
  at: { position: JsonValue | undefined; now: number },
): Promise<ExportPage> {
  const { items, next } = await readEvents(account, query, at)
  const page = { next, count: items.length }
  if (format === 'ndjson') {
    const content = bytesOf(items.values().map((event) => lineOf(withTextDescription(event))))
    return { ...page, contentType: ndjson, filename: 'events.ndjson', skipped: [], content }
  }
  const part = calendarPart(items, Math.floor(at.now / 1000))
  const content = bytesOf(calendarFile(part))
  return {
    ...page,
    contentType: 'text/calendar; charset=utf-8',
    filename: 'events.ics',
    skipped: part.skipped.map(noPlace),
    content,
  }
}

export async function contactPage(
  account: ExportedAccount,
  { format = 'vcf', version = '3.0', ...query }: ContactExportQuery,
  { position, now }: { position: JsonValue | undefined; now: number },
): Promise<ExportPage> {
  const list = operationOf(account, 'contacts', 'list')
  const { items, next } = await list(
    { email: undefined, phone_number: undefined, select: undefined, ...query },
    position,
  )
  const contacts = items.map((item) => plain(item))
  const page = { next, count: contacts.length, skipped: [] }
  if (format === 'ndjson') {
    const content = bytesOf(contacts.values().map(lineOf))
    return { ...page, contentType: ndjson, filename: 'contacts.ndjson', content }
  }
  const isGrouped = contacts.some(({ groups }) => groups.length > 0)
  const groupNames = isGrouped ? await groupNamesOf(account) : new Map<string, string>()
  const cards = contacts.values().map((contact) => cardOf(contact, { version, groupNames, now }))
  return { ...page, contentType: 'text/vcard; charset=utf-8', filename: 'contacts.vcf', content: bytesOf(cards) }
}

const groupPages = 10

/** The names of the account's groups by id: at most two thousand. */
async function groupNamesOf(account: ExportedAccount): Promise<Map<string, string>> {
  const list = operationOf(account, 'contactGroups', 'list')
  const names = new Map<string, string>()
  let position: JsonValue | undefined
  for (let page = 0; page < groupPages; page += 1) {
    const { items, next } = await list({ limit: 200, page_token: undefined, select: undefined }, position)
    for (const group of items.map((item) => plain(item))) names.set(group.id, group.name)
    if (next === undefined) break
    position = next
  }
  return names
}

/** The card of a contact. `groupNames` has the names of groups by their ids; `now` is in milliseconds. */
export function cardOf(
  contact: Contact,
  { version, groupNames, now }: { version: VCardVersion; groupNames: ReadonlyMap<string, string>; now: number },
): string {
  const { id, grant_id, object: _, source: __, groups = [], picture: ___, picture_url: ____, ...fields } = contact
  const { display_name: shownName, ...change } = fields
  const categories = (groups ?? []).flatMap((group) => groupNames.get(group.id) ?? [])
  const card = newCard({ ...change, categories }, { uid: uidOf(grant_id, id), version, now })
  if (shownName.trim() !== '') setShownName(card, shownName)
  return card.write()
}

/** A UUID that is the same in every export of the contact, so that a second import changes it instead of adding one. */
export function uidOf(grantId: string, contactId: string): string {
  const bytes = createHash('sha256').update(`${grantId}\n${contactId}`).digest()
  // RFC 9562 §5.8: version 8, for values of one's own making.
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x80
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80
  const hex = bytes.toString('hex', 0, 16)
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-')
}
