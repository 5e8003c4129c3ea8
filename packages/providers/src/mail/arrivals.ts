/** Additional data for notifications of new messages: Message-IDs, delivery reports and calendar objects. */
import type { Message } from '@waypost/contract'
import { mayBeReport } from '@waypost/formats/dsn/suspicion'
import type { ItipMail } from '@waypost/formats/itip/mail'
import type { Report } from '@waypost/formats/parse-worker'
import type { SessionIo } from '../io.ts'
import type { Change } from '../provider.ts'

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
