/** Builds the notifications of new and changed messages for all providers. */
import type { Message } from '@waypost/contract'
import type { Report } from '@waypost/formats/parse-worker'
import type { SessionIo } from '../io.ts'
import type { Change } from '../provider.ts'
import { happenedAt, readReports } from './arrivals.ts'

/** Clocks differ by less: a new message is not older than the grant by more. */
export const clockSeconds = 60

/** At most this many references are looked up. */
const maxReferences = 10

export type MessageChange = Extract<Change, { trigger: 'message.created' | 'message.updated' }>

/** A message in its current state. */
export interface FreshMessage {
  message: Message
  /** true: new; false: changed. */
  isNew: boolean
  isDraft: boolean
  /** Whether its body is HTML. */
  isHtml: boolean
  /** Its Message-ID and those of its ancestors, the direct parent last; without angle brackets. */
  messageId: string | undefined
  references: readonly string[]
}

/** The differences between providers. */
export interface TellingMail {
  grant: { created_at?: number | undefined }
  io: Pick<SessionIo, 'parse' | 'signal'>
  /** Milliseconds. */
  notBefore: number
  sourcesOf(messages: readonly Message[]): Promise<{ id: string; source: Uint8Array }[]>
  /** Maps current Message-IDs to those under which the messages were sent; only those that changed. */
  originalNames(messageIds: readonly string[]): Promise<Names>
}
type Names = ReadonlyMap<string, string>

/** Reports messages, without drafts and messages older than the grant. */
export async function messageChanges(fresh: readonly FreshMessage[], mail: TellingMail): Promise<MessageChange[]> {
  const created = mail.grant.created_at ?? 0
  const isReported = ({ message, isNew, isDraft }: FreshMessage): boolean =>
    !isDraft && (message.date ?? 0) >= created - (isNew ? clockSeconds : 0)
  const reported = fresh.filter(isReported)
  const arrived = reported.filter(({ isNew }) => isNew)
  const reports = await readReports(mail.io, arrived, (suspects) =>
    mail.sourcesOf(suspects.map(({ message }) => message)),
  )
  const names = await renamedBy(mail, arrived, reports)
  return reported.map(({ message, isNew, isHtml, messageId, references }): MessageChange => {
    const about = { object: message, happenedAt: happenedAt(message, mail.notBefore) }
    if (!isNew) return { trigger: 'message.updated', ...about }
    const report = reports.get(message.id)
    return {
      trigger: 'message.created',
      ...about,
      isHtml,
      names: { messageId, references: references.map((id) => names.get(id) ?? id) },
      report: report && renamed(report, names),
    }
  })
}

/** Maps the references of replies and reports to the Message-IDs under which the messages were sent. */
function renamedBy(
  { originalNames }: TellingMail,
  arrived: readonly FreshMessage[],
  reports: ReadonlyMap<string, Report>,
): Promise<Names> {
  // The newest references are closest.
  const answered = arrived.flatMap(({ message, references }) =>
    reports.has(message.id) ? [] : references.slice(-maxReferences),
  )
  const reported = [...reports.values()].flatMap(({ messageId }) => messageId ?? [])
  return originalNames([...reported, ...answered])
}

function renamed(report: Report, names: Names): Report {
  const original = report.messageId === undefined ? undefined : names.get(report.messageId)
  return original === undefined ? report : { ...report, messageId: original }
}
