/** What a failure of Exchange says of the message that was on its way. */
import { SendFailed } from '../../provider.ts'
import { sendFailure } from '../../shared/send-failure.ts'
import { EwsError, hasCode } from '../errors.ts'

/** The mailbox, or the way to it, was not there: nothing was done, and later it may be. */
const untouched = [
  'ErrorMailboxMoveInProgress',
  'ErrorMailboxStoreUnavailable',
  'ErrorMailboxFailover',
  'ErrorMailboxLogonFailed',
  'ErrorADUnavailable',
  'ErrorNoRespondingCASInDestinationSite',
]
/** Whoever makes room, or waits, can send the same message. */
const passing = ['ErrorQuotaExceeded', 'ErrorSubmissionQuotaExceeded', 'ErrorMessageThrottlingException']

/** What to throw for a failure after `begin`: whether the message may have been taken, and whether it ever will be. */
export function ewsSendFailure(error: unknown): unknown {
  if (!(error instanceof EwsError)) return sendFailure(error)
  const { code, message } = error
  if (code === 'provider_unavailable') {
    return new SendFailed(message, { maybeSent: !hasCode(error, ...untouched), cause: error })
  }
  const isPassing = code === 'provider_rate_limited' || code === 'grant_invalid' || hasCode(error, ...passing)
  return new SendFailed(message, { permanent: !isPassing, cause: error })
}
