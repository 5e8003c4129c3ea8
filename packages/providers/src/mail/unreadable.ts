/** Messages that cannot be parsed, in words for clients. */
import { ApiError } from '@waypost/platform/api-error'
import type { ParseOutcome } from '@waypost/platform/parsing/pool'
import type { SessionIo } from '../io.ts'

/** Texts for failures other than a parse error. */
const problems: Partial<Record<string, string>> = {
  deadline: 'it takes too long to parse',
  crashed: 'it takes too much memory to parse',
  broken: 'it cannot be parsed',
}

/** The reason why a message could not be parsed, for clients; also logged. */
export function parseProblem(
  { io, grant }: { io: Pick<SessionIo, 'log'>; grant: { id: string } },
  failure: Extract<ParseOutcome<unknown>, { ok: false }> | undefined,
): string {
  const { reason = 'broken', message = '' } = failure ?? {}
  io.log.warn({ grant_id: grant.id, reason, problem: message }, 'a message could not be parsed')
  return problems[reason] ?? message
}

/** `remedy` is what helps instead. Reading the bytes helps for a message that cannot be parsed. */
export const unreadable = (problem: string, remedy = '; fields=raw_mime returns its bytes'): ApiError =>
  new ApiError('provider_refused', `this message cannot be read: ${problem}${remedy}`)
