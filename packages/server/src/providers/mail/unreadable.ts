/** Messages that cannot be read, in the words that clients are told. */
import { ApiError } from '../../lib/api-error.ts'
import type { ParseOutcome } from '../../lib/parsing/pool.ts'
import type { SessionIo } from '../io.ts'

/** What is told of a failure that is not the message's own word. */
const problems: Partial<Record<string, string>> = {
  deadline: 'it takes too long to parse',
  crashed: 'it takes too much memory to parse',
  broken: 'it cannot be parsed',
}

/** Why a message could not be parsed, in words for clients; the operator is told as well. */
export function parseProblem(
  { io, grant }: { io: Pick<SessionIo, 'log'>; grant: { id: string } },
  failure: Extract<ParseOutcome<unknown>, { ok: false }> | undefined,
): string {
  const { reason = 'broken', message = '' } = failure ?? {}
  io.log.warn({ grant_id: grant.id, reason, problem: message }, 'a message could not be parsed')
  return problems[reason] ?? message
}

/** The error for a message that cannot be read. */
export const unreadable = (problem: string): ApiError =>
  new ApiError('provider_refused', `this message cannot be read: ${problem}; fields=raw_mime gives its bytes`)
