/** Notifications of messages that arrived or changed. */
import type { Message } from '@waypost/contract'
import { readMessageIds } from '@waypost/formats/mime/addresses'
import type { Report } from '@waypost/formats/parse-worker'
import { type ArrivalNames, answeredBy, happenedAt, readReports } from '../../mail/arrivals.ts'
import type { Change } from '../../provider.ts'
import type { Session } from '../session.ts'
import { isMetadataOnly } from './gmail-api.ts'
import { fromReading } from './mapping/message.ts'
import { bytesOf, headerOf } from './mapping/part.ts'
import { type Reading, readMessages } from './reading.ts'
import { namesByMessageId, type SentNames, threadNames } from './sent-names.ts'

/** Tolerance for clock differences: a message in the history is at most this much older than the grant. */
const clockSeconds = 60
/** Threads and reports whose names are looked up in one round. */
const maxLookedUp = 100

interface ToTell {
  come: readonly string[]
  changed: readonly string[]
  /** Milliseconds. */
  notBefore: number
  /** Older messages are ignored; in milliseconds. */
  from?: number | undefined
}

type MessageChange = Extract<Change, { trigger: 'message.created' | 'message.updated' }>

/** Each save of a draft creates another message, so a draft is notified when it is sent. */
export const isUnnotified = (labelIds: readonly string[] = []): boolean =>
  labelIds.includes('DRAFT') || labelIds.includes('CHAT')

/**
 * Notifies messages as they are now, arrived ones first. Deleted messages and those older than the grant are left
 * out.
 */
export async function messageNotifications(
  session: Session,
  { come, changed, notBefore, from = 0 }: ToTell,
): Promise<MessageChange[]> {
  const fields = isMetadataOnly(session) ? 'include_headers' : 'standard'
  const readings = await readMessages(session, [...come, ...changed], { fields, format: 'full' })
  const { grant, io } = session
  const created = grant.created_at ?? 0
  const came = new Set(come)
  const reported = readings
    .filter(({ message }) => !isUnnotified(message.labelIds))
    .flatMap((reading) => {
      const message = fromReading(reading, { grantId: grant.id, fields, shown: io.shown })
      const isNew = came.has(message.id)
      if ((message.date ?? 0) < created - (isNew ? clockSeconds : 0)) return []
      if (isNew && (message.date ?? 0) < Math.floor(from / 1000)) return []
      return [{ reading, message, isNew }]
    })
  const arrived = reported.filter(({ isNew }) => isNew)
  const reports = await readReports(io, arrived, (suspects) => sourcesOf(session, suspects))
  const names = await originalNames(session, arrived, reports)
  const suffix = isMetadataOnly(session) ? ('metadata' as const) : undefined
  return reported.map(({ reading, message, isNew }): MessageChange => {
    const about = { object: message, happenedAt: happenedAt(message, notBefore), suffix }
    if (!isNew) return { trigger: 'message.updated', ...about }
    const report = reports.get(message.id)
    return {
      trigger: 'message.created',
      ...about,
      isHtml: reading.parsed?.isHtml,
      names: namesOf(reading, names),
      report: report && renamed(report, names),
    }
  })
}

interface Notified {
  reading: Reading
  message: Message
}

/** The bytes of messages, if the grant may read more than headers. */
async function sourcesOf(
  session: Session,
  suspects: readonly Notified[],
): Promise<{ id: string; source: Uint8Array }[]> {
  if (isMetadataOnly(session)) return []
  const ids = suspects.map(({ message }) => message.id)
  const raws = await readMessages(session, ids, { fields: 'raw_mime', format: 'raw' })
  return raws.map(({ message }) => ({ id: message.id, source: bytesOf(message.raw ?? '') }))
}

/** The names that messages were sent under, by the names that Gmail gave them. */
type Names = ReadonlyMap<string, string>

/** Answers and reports refer to names that Gmail gave; the names that the messages were sent under are looked up. */
async function originalNames(
  session: Session,
  arrived: readonly Notified[],
  reports: ReadonlyMap<string, Report>,
): Promise<Names> {
  const answers = arrived.filter(({ reading, message }) => referencesOf(reading).length > 0 && !reports.has(message.id))
  const threads = new Set(answers.map(({ reading }) => reading.message.threadId))
  const reported = new Set([...reports.values()].flatMap(({ messageId }) => messageId ?? []))
  const found = [
    ...(await threadNames(session, [...threads].slice(0, maxLookedUp))),
    ...(await namesByMessageId(session, [...reported].slice(0, maxLookedUp))),
  ]
  return new Map(
    found.flatMap(({ messageId, original }: SentNames) =>
      messageId !== undefined && original !== undefined && original !== messageId ? [[messageId, original]] : [],
    ),
  )
}

const idsIn = ({ headers }: Reading, name: string): string[] => readMessageIds(headerOf(headers, name) ?? '')

const referencesOf = (reading: Reading): string[] =>
  answeredBy(idsIn(reading, 'references'), idsIn(reading, 'in-reply-to')[0])

const namesOf = (reading: Reading, names: Names): ArrivalNames => {
  const [messageId] = idsIn(reading, 'message-id')
  return { messageId, references: referencesOf(reading).map((id) => names.get(id) ?? id) }
}

function renamed(report: Report, names: Names): Report {
  const original = report.messageId === undefined ? undefined : names.get(report.messageId)
  return original === undefined ? report : { ...report, messageId: original }
}
