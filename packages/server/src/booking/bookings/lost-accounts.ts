/**
 * Accounts that cannot be used until their owner connects them again, or an administrator unblocks them. Who books is not
 * the owner: errors about the account would tell a guest to authenticate.
 */
import type { ErrorCode } from '@waypost/contract'
import { ApiError } from '@waypost/platform/api-error'

const codes: ReadonlySet<ErrorCode> = new Set([
  'grant_invalid',
  'grant_not_found',
  'resource_blocked',
  'insufficient_scopes',
])

export const isLostAccount = (error: unknown): boolean => error instanceof ApiError && codes.has(error.code)

/** An error as guests get it. */
const forGuests = (cause: unknown): unknown =>
  isLostAccount(cause)
    ? new ApiError(
        'invalid_request',
        'the calendar of the host is not connected at the moment: try again later, or contact the host',
        { cause },
      )
    : cause

/** The same work, whose errors about the account of the host are texts for guests. */
export const withTextsForGuests =
  <A extends readonly unknown[], R>(work: (...given: A) => Promise<R>): ((...given: A) => Promise<R>) =>
  async (...given) => {
    try {
      return await work(...given)
    } catch (error) {
      throw forGuests(error)
    }
  }
