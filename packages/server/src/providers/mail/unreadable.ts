/** Messages that cannot be read, in the words that clients are told. */
import { ApiError } from '../../lib/api-error.ts'

/** What is told of a failure that is not the message's own word. */
const problems: Partial<Record<string, string>> = {
  deadline: 'it takes too long to parse',
  crashed: 'it takes too much memory to parse',
  broken: 'it cannot be parsed',
}

/** Why a message could not be parsed. */
export const problemOf = (reason: string, message: string): string => problems[reason] ?? message

/** The error for a message that cannot be read. */
export const unreadable = (problem: string): ApiError =>
  new ApiError('provider_refused', `this message cannot be read: ${problem}; fields=raw_mime gives its bytes`)
