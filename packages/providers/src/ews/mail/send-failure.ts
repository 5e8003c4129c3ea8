/** Whether a message was sent, judged by Exchange's error. */
import { SendFailed } from '../../provider.ts'
import { sendFailure } from '../../shared/send-failure.ts'
import { EwsError, hasCode } from '../errors.ts'

/** The mailbox was not reachable: nothing was done, and a later attempt may succeed. */
const untouched = [
  'ErrorMailboxMoveInProgress',
  'ErrorMailboxStoreUnavailable',
  'ErrorMailboxFailover',
  'ErrorMailboxLogonFailed',
  'ErrorADUnavailable',
  'ErrorNoRespondingCASInDestinationSite',
]
/** The same message can be sent after a wait, or after making room. */
const passing = ['ErrorQuotaExceeded', 'ErrorSubmissionQuotaExceeded', 'ErrorMessageThrottlingException']

/** The error for a failure after `begin`: whether the message may have been accepted, and whether it ever will be. */
export function ewsSendFailure(error: unknown): unknown {
  if (!(error instanceof EwsError)) return sendFailure(error)
  const { code, message } = error
  if (code === 'provider_unavailable') {
    return new SendFailed(message, { maybeSent: !hasCode(error, ...untouched), cause: error })
  }
  const isTransient = code === 'provider_rate_limited' || code === 'grant_invalid' || hasCode(error, ...passing)
  return new SendFailed(message, { permanent: !isTransient, cause: error })
}
