/** Builds the notifications of new and changed messages for all providers. */
import type { Message } from '@waypost/contract'
import { mayBeReport } from '@waypost/formats/dsn/suspicion'
import type { ItipMail } from '@waypost/formats/itip/mail'
import type { Report } from '@waypost/formats/parse-worker'
import type { SessionIo } from '../io.ts'
import type { Change } from '../provider.ts'

/** Clocks differ by less: a new message is not older than the grant by more. */
export const clockSeconds = 60

export type MessageChange = Extract<Change, { trigger: 'message.created' | 'message.updated' }>

/** A message in its current state. */
export interface FreshMessage {
  message: Message
  /** true: new; false: changed. */
  isNew: boolean
  isDraft: boolean
  /** Whether its body is HTML. */
  isHtml: boolean | undefined
  /** Its Message-ID and those of its ancestors, the direct parent last; without angle brackets. */
  messageId: string | undefined
  references: readonly string[]
}

/** The differences between providers. */
export interface TellingMail<M extends FreshMessage = FreshMessage> {
  grant: { created_at?: number | undefined }
  io: Pick<SessionIo, 'parse' | 'signal'>
  /** Milliseconds. */
  notBefore: number
  suffix?: Change['suffix']
  sourcesOf(messages: readonly Message[]): Promise<{ id: string; source: Uint8Array }[]>
  /**
   * Maps current Message-IDs to those under which the messages were sent; only those that changed. It is about the
   * references of replies, and the Message-IDs in delivery reports.
   */
  originalNames(replies: readonly M[], reported: readonly string[]): Promise<Names>
}
type Names = ReadonlyMap<string, string>

/** Reports messages, without drafts and messages older than the grant. */
export async function messageChanges<M extends FreshMessage>(
  fresh: readonly M[],
  mail: TellingMail<M>,
): Promise<MessageChange[]> {
  const created = mail.grant.created_at ?? 0
  const isReported = ({ message, isNew, isDraft }: FreshMessage): boolean =>
    !isDraft && (message.date ?? 0) >= created - (isNew ? clockSeconds : 0)
  const reported = fresh.filter(isReported)
  const arrived = reported.filter(({ isNew }) => isNew)
  const reports = await readReports(mail.io, arrived, (suspects) =>
    mail.sourcesOf(suspects.map(({ message }) => message)),
  )
  const replies = arrived.filter(({ message, references }) => references.length > 0 && !reports.has(message.id))
  const inReports = [...reports.values()].flatMap(({ messageId }) => messageId ?? [])
  const names = await mail.originalNames(replies, inReports)
  const suffix = mail.suffix ? { suffix: mail.suffix } : {}
  return reported.map(({ message, isNew, isHtml, messageId, references }): MessageChange => {
    const about = { object: message, happenedAt: happenedAt(message, mail.notBefore), ...suffix }
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

function renamed(report: Report, names: Names): Report {
  const original = report.messageId === undefined ? undefined : names.get(report.messageId)
  return original === undefined ? report : { ...report, messageId: original }
}

export type ArrivalNames = NonNullable<Change['names']>

/** The ancestors of a message: its references, with the direct parent (In-Reply-To) last. */
export const answeredBy = (references: readonly string[], parent: string | undefined): string[] =>
  parent === undefined ? [...references] : [...references.filter((id) => id !== parent), parent]

/**
 * Delivery reports in new messages, by message id. `sourcesOf` fetches the bytes, only of messages that look like a
 * report and only if the provider and their size allow it.
 */
export const readReports = <M extends Arrived>(
  io: ParsingIo,
  arrived: readonly M[],
  sourcesOf: SourcesOf<M>,
): Promise<Map<string, Report>> =>
  readSuspects(
    io,
    arrived.filter(({ message }) => mayBeReport(message)),
    { sourcesOf, parser: 'report' },
  )

const calendarPart = /^(?:text\/calendar|application\/ics)\b/i

/** The same for calendar objects: only for messages with a calendar part. */
export const readItip = <M extends Arrived>(
  io: ParsingIo,
  arrived: readonly M[],
  sourcesOf: SourcesOf<M>,
): Promise<Map<string, ItipMail>> =>
  readSuspects(
    io,
    arrived.filter(({ message: { attachments = [] } }) =>
      attachments.some(({ content_type: type = '' }) => calendarPart.test(type)),
    ),
    { sourcesOf, parser: 'itip' },
  )

interface Arrived {
  message: Message
}
type ParsingIo = Pick<SessionIo, 'parse' | 'signal'>
type SourcesOf<M> = (suspects: M[]) => Promise<{ id: string; source: Uint8Array }[]>

async function readSuspects<M, T>(
  { parse, signal }: ParsingIo,
  suspects: M[],
  { sourcesOf, parser }: { sourcesOf: SourcesOf<M>; parser: string },
): Promise<Map<string, T>> {
  const sources = suspects.length === 0 ? [] : await sourcesOf(suspects)
  if (sources.length === 0) return new Map()
  const inputs = sources.map(({ source }) => ({ source }))
  const outcomes = await parse.run<{ source: Uint8Array }, T | undefined>(parser, inputs, { signal })
  return new Map(
    sources.flatMap(({ id }, place) => {
      const outcome = outcomes[place]
      return outcome?.ok && outcome.value ? [[id, outcome.value] as const] : []
    }),
  )
}

/** The time of a change in milliseconds, never before the start of the watch. */
export const happenedAt = ({ date = 0 }: Pick<Message, 'date'>, notBefore: number): number =>
  Math.max(date * 1000, notBefore)
