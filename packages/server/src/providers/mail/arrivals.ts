/** What is told of messages that came, beside the messages: their names, and what mail systems report in them. */
import type { Message } from '@waypost/contract'
import { mayBeReport } from '../../formats/dsn-suspicion.ts'
import type { Report } from '../../formats/parse-worker.ts'
import type { SessionIo } from '../io.ts'
import type { Change } from '../provider.ts'

export type ArrivalNames = NonNullable<Change['names']>

/** Those that a message answers: its references, with the direct parent (In-Reply-To) last. */
export const answeredBy = (references: readonly string[], parent: string | undefined): string[] =>
  parent === undefined ? [...references] : [...references.filter((id) => id !== parent), parent]

/**
 * What mail systems say of sent messages in messages that came, by the ids of those. `sourcesOf` fetches the bytes: of those
 * alone that look like a report, and of none where the provider or the size of a message does not allow it.
 */
export async function readReports<M extends { message: Message }>(
  { parse, signal }: Pick<SessionIo, 'parse' | 'signal'>,
  arrived: readonly M[],
  sourcesOf: (suspects: M[]) => Promise<{ id: string; source: Uint8Array }[]>,
): Promise<Map<string, Report>> {
  const suspects = arrived.filter(({ message }) => mayBeReport(message))
  const sources = suspects.length === 0 ? [] : await sourcesOf(suspects)
  if (sources.length === 0) return new Map()
  const inputs = sources.map(({ source }) => ({ source }))
  const outcomes = await parse.run<{ source: Uint8Array }, Report | undefined>('report', inputs, { signal })
  return new Map(
    sources.flatMap(({ id }, place) => {
      const outcome = outcomes[place]
      return outcome?.ok && outcome.value ? [[id, outcome.value] as const] : []
    }),
  )
}

/** When a message that came or changed is said to have done so: never before what the watch begins at, in milliseconds. */
export const happenedAt = ({ date = 0 }: Pick<Message, 'date'>, notBefore: number): number =>
  Math.max(date * 1000, notBefore)
