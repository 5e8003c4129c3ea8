/** Messages that came or changed, as they are told, whichever way they were read. */
import type { Message } from '@waypost/contract'
import type { Report } from '../../formats/mime/parse-worker.ts'
import type { SessionIo } from '../io.ts'
import type { Change } from '../provider.ts'
import { happenedAt, readReports } from './arrivals.ts'

/** Clocks differ by less: a message that came is no older than the grant by more. */
export const clockSeconds = 60

/** So many of what a message answers are looked up. */
const mostReferences = 10

export type MessageChange = Extract<Change, { trigger: 'message.created' | 'message.updated' }>

/** A message as it is now. */
export interface FreshMessage {
  message: Message
  /** It came; else it changed. */
  isNew: boolean
  isDraft: boolean
  /** Its Message-ID, and those that it answers, the direct parent last; without brackets. */
  messageId: string | undefined
  references: readonly string[]
}

/** What differs between providers. */
export interface TellingMail {
  grant: { created_at?: number | undefined }
  io: Pick<SessionIo, 'parse' | 'signal'>
  /** Milliseconds. */
  notBefore: number
  sourcesOf(messages: readonly Message[]): Promise<{ id: string; source: Uint8Array }[]>
  /** The Message-IDs that messages were sent under here, by those that they have by now; of those that kept theirs nothing. */
  originalNames(messageIds: readonly string[]): Promise<Names>
}
type Names = ReadonlyMap<string, string>

/** Tells of messages; drafts, and older ones than the grant, are left out. */
export async function messageChanges(fresh: readonly FreshMessage[], mail: TellingMail): Promise<MessageChange[]> {
  const created = mail.grant.created_at ?? 0
  const isTold = ({ message, isNew, isDraft }: FreshMessage): boolean =>
    !isDraft && (message.date ?? 0) >= created - (isNew ? clockSeconds : 0)
  const told = fresh.filter(isTold)
  const arrived = told.filter(({ isNew }) => isNew)
  const reports = await readReports(mail.io, arrived, (suspects) =>
    mail.sourcesOf(suspects.map(({ message }) => message)),
  )
  const names = await renamedBy(mail, arrived, reports)
  return told.map(({ message, isNew, messageId, references }): MessageChange => {
    const about = { object: message, happenedAt: happenedAt(message, mail.notBefore) }
    if (!isNew) return { trigger: 'message.updated', ...about }
    const report = reports.get(message.id)
    return {
      trigger: 'message.created',
      ...about,
      names: { messageId, references: references.map((id) => names.get(id) ?? id) },
      report: report && renamed(report, names),
    }
  })
}

/** Of what answers and reports refer to: the names that it was sent under here, by those that it has by now. */
function renamedBy(
  { originalNames }: TellingMail,
  arrived: readonly FreshMessage[],
  reports: ReadonlyMap<string, Report>,
): Promise<Names> {
  // The newest are the nearest.
  const answered = arrived.flatMap(({ message, references }) =>
    reports.has(message.id) ? [] : references.slice(-mostReferences),
  )
  const reported = [...reports.values()].flatMap(({ messageId }) => messageId ?? [])
  return originalNames([...reported, ...answered])
}

function renamed(report: Report, names: Names): Report {
  const original = report.messageId === undefined ? undefined : names.get(report.messageId)
  return original === undefined ? report : { ...report, messageId: original }
}
