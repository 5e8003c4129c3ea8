/** Messages that came or changed, as they are told. */
import type { Message } from '@waypost/contract'
import { readMessageIds } from '../../../formats/mime-addresses.ts'
import type { Report } from '../../../formats/parse-worker.ts'
import { type ArrivalNames, answeredBy, happenedAt, readReports } from '../../mail/arrivals.ts'
import type { Change } from '../../provider.ts'
import type { GraphMessage, Mailbox } from './mail-api.ts'
import { standard, type Wanted, withProperties } from './mapping/properties.ts'
import { messageOf } from './messages.ts'
import { readMessages, readSources } from './reading.ts'
import { originalNames } from './sent-names.ts'

/** Clocks differ by less: a message that came is no older than the grant by more. */
export const clockSeconds = 60

/** So many of what a message answers are looked up. */
const mostReferences = 10

type Names = ReadonlyMap<string, string>
type MessageChange = Extract<Change, { trigger: 'message.created' | 'message.updated' }>

interface ToTell {
  come: readonly string[]
  changed: readonly string[]
  /** Milliseconds. */
  notBefore: number
}

const wanted: Wanted = withProperties(standard, ['isDraft', 'internetMessageId', 'internetMessageHeaders'])

/** Tells of messages as they are now; drafts, those that are gone, and older ones than the grant are left out. */
export async function messageNotifications(
  mailbox: Mailbox,
  { come, changed, notBefore }: ToTell,
): Promise<MessageChange[]> {
  const { grant, io } = mailbox.session
  const created = grant.created_at ?? 0
  const came = new Set(come)
  const read = await readMessages(mailbox, [...come, ...changed], wanted)
  const told = read.flatMap((source) => {
    const message = messageOf(mailbox, source)
    const isNew = came.has(message.id)
    const isOlder = (message.date ?? 0) < created - (isNew ? clockSeconds : 0)
    return source.isDraft || isOlder ? [] : [{ source, message, isNew }]
  })
  const arrived = told.filter(({ isNew }) => isNew)
  const reports = await readReports(io, arrived, (suspects) => sourcesOf(mailbox, suspects))
  const names = await renamedBy(mailbox, arrived, reports)
  return told.map(({ source, message, isNew }): MessageChange => {
    const about = { object: message, happenedAt: happenedAt(message, notBefore) }
    if (!isNew) return { trigger: 'message.updated', ...about }
    const report = reports.get(message.id)
    return {
      trigger: 'message.created',
      ...about,
      names: namesOf(source, names),
      report: report && renamed(report, names),
    }
  })
}

/** Of what answers and reports refer to: the names that it was sent under here, by those that it has by now. */
const renamedBy = (
  mailbox: Mailbox,
  arrived: readonly { source: GraphMessage; message: Message }[],
  reports: ReadonlyMap<string, Report>,
): Promise<Names> => {
  // The newest are the nearest.
  const answered = arrived.flatMap(({ source, message }) =>
    reports.has(message.id) ? [] : referencesOf(source).slice(-mostReferences),
  )
  const reported = [...reports.values()].flatMap(({ messageId }) => messageId ?? [])
  return originalNames(mailbox, [...reported, ...answered])
}

function renamed(report: Report, names: Names): Report {
  const original = report.messageId === undefined ? undefined : names.get(report.messageId)
  return original === undefined ? report : { ...report, messageId: original }
}

async function sourcesOf(
  mailbox: Mailbox,
  suspects: readonly { message: Message }[],
): Promise<{ id: string; source: Uint8Array }[]> {
  const ids = suspects.map(({ message }) => message.id)
  return [...(await readSources(mailbox, ids))].map(([id, source]) => ({ id, source }))
}

const referencesOf = ({ internetMessageHeaders: headers = [] }: GraphMessage): string[] => {
  const idsIn = (wantedName: string): string[] =>
    readMessageIds(headers.find(({ name }) => name.toLowerCase() === wantedName)?.value ?? '')
  return answeredBy(idsIn('references'), idsIn('in-reply-to')[0])
}

const namesOf = (source: GraphMessage, names: Names): ArrivalNames => ({
  messageId: readMessageIds(source.internetMessageId ?? '')[0],
  references: referencesOf(source).map((id) => names.get(id) ?? id),
})
