/** From what imapflow, a socket or the server said to the errors of the API. The server's own words stay out of messages. */
import type { ImapFlowError } from 'imapflow'
import { ApiError, type ErrorDetails } from '../../lib/api-error.ts'
import { ConnectionFailed, codeOf, networkFailed, notMail } from '../mail/connection-failed.ts'

const closed = new Set(['NoConnection', 'EConnectionClosed', 'StateLogout'])
/** Response codes with which a server refuses a login without saying anything of the credentials (RFC 5530). */
const passing = new Set(['UNAVAILABLE', 'LIMIT', 'INUSE', 'SERVERBUG', 'CONTACTADMIN', 'PRIVACYREQUIRED'])
/** And those with which it does. */
const lasting = new Set(['AUTHENTICATIONFAILED', 'AUTHORIZATIONFAILED', 'EXPIRED'])
const tooMany = /too many|maximum (?:number of )?connection|mail_max_userip|limit/i
/** What servers without response codes say when they themselves are at fault. */
const indisposed =
  /temporar|unavailable|not connected|timed? ?out|internal (?:server )?error|system (?:error|failure)|too busy|overload|maintenance|later/i
const isWrong = /invalid|incorrect|wrong|bad (?:user|pass|cred)/i

/** Says what failed while a connection to a server was made. */
export function connectionFailed(error: unknown, { host, port }: { host: string; port: number }): ConnectionFailed {
  const flow = error as ImapFlowError & { reason?: unknown }
  const where = `${host} port ${port}`
  const code = codeOf(error)
  // What a server says as it closes the connection, `* BYE`.
  const parting = closed.has(code) || code.startsWith('ClosedAfterConnect') ? flow.reason : undefined
  if (typeof parting === 'string') {
    if (tooMany.test(parting)) return new ConnectionFailed('limit', `${where} allows no more connections`, error)
    return new ConnectionFailed('unavailable', `${where} closed the connection`, error)
  }
  if (flow.authenticationFailed && flow.responseStatus) return loginFailed(flow, where)
  if (/^(?:Login is disabled|No matching authentication|Unsupported authentication)/.test(flow.message)) {
    const what = 'offers no way to log in with a password or a token that is known here'
    return new ConnectionFailed('method', `${where} ${what}`, error)
  }
  const failed = networkFailed(error, { host, port })
  if (failed) return failed
  // Also in the middle of a login, which says nothing of the credentials.
  if (closed.has(code) || flow.authenticationFailed)
    return new ConnectionFailed('connect', `${where} closed the connection`, error)
  return notMail({ host, port }, error)
}

/** What it means that a server answered a login with NO or BAD. */
function loginFailed(error: ImapFlowError, where: string): ConnectionFailed {
  const code = responseCodeOf(error)
  const said = `${error.responseText ?? ''}`
  if (code === 'LIMIT' || tooMany.test(said))
    return new ConnectionFailed('limit', `${where} allows no more connections`, error)
  const isRetryable = passing.has(code) || (!lasting.has(code) && indisposed.test(said) && !isWrong.test(said))
  if (isRetryable) return new ConnectionFailed('unavailable', `${where} cannot log the account in now`, error)
  return new ConnectionFailed('credentials', `${where} did not accept the user name and the password or token`, error)
}

/** The code in brackets with which a server says why it refuses (RFC 3501 §7.1), in upper case; empty where it gives none. */
export function responseCodeOf(error: unknown): string {
  const { serverResponseCode, response } = error as { serverResponseCode?: unknown; response?: unknown }
  if (typeof serverResponseCode === 'string') return serverResponseCode.toUpperCase()
  const [first] = (response as { attributes?: { section?: { value?: unknown }[] }[] } | undefined)?.attributes ?? []
  const value = first?.section?.[0]?.value
  return typeof value === 'string' ? value.toUpperCase() : ''
}

/** Response codes of a server that cannot do now what it can do at other times. */
const notNow = new Set(['UNAVAILABLE', 'SERVERBUG', 'INUSE'])

/** Whether a server refused a command, and not because of its own state. */
export const isRefused = (error: unknown): boolean =>
  (error as ImapFlowError).responseStatus === 'NO' && !notNow.has(responseCodeOf(error))

/** Whether a connection that was open is gone. */
export function isLost(error: unknown): boolean {
  if (error instanceof ConnectionFailed) return error.failure !== 'credentials'
  const code = codeOf(error)
  const gone = [
    'NoConnection',
    'EConnectionClosed',
    'StateLogout',
    'EPIPE',
    'ECONNRESET',
    'ETIMEOUT',
    'LiteralTooLarge',
    'LineTooLarge',
    'ResponseTooLarge',
  ]
  return gone.includes(code) || code.startsWith('ParserError')
}

/** Whether an answer was of a kind that cannot be read, which ends a connection too. */
export function isUnreadable(error: unknown): boolean {
  const code = codeOf(error)
  const kinds = ['MAX_IMAP_NESTING_REACHED', 'LiteralTooLarge', 'LineTooLarge', 'ResponseTooLarge']
  return kinds.includes(code) || code.startsWith('ParserError') || code === 'ResponseProcessingFailed'
}

/** The error of an operation on an account that exists: any failure as one of the API's table. */
export function toApiError(error: unknown): unknown {
  if (error instanceof ApiError) return error
  if (error instanceof ConnectionFailed) {
    if (error.failure === 'credentials') return new ApiError('grant_invalid', undefined, { cause: error })
    if (error.failure === 'limit') {
      return new ApiError('provider_rate_limited', 'the mail server allows no more connections now', {
        retryAfter: 10,
        cause: error,
      })
    }
    return new ApiError('provider_unavailable', `the mail server cannot be used now: ${error.message}`, {
      cause: error,
    })
  }
  const flow = error as ImapFlowError
  if (isLost(error)) {
    return new ApiError('provider_unavailable', 'the mail server closed the connection; try again', {
      cause: stripped(error),
    })
  }
  if (flow.code === 'ETHROTTLE') {
    return new ApiError('provider_rate_limited', undefined, { retryAfter: 30, cause: stripped(error) })
  }
  if (flow.responseStatus === 'NO' || flow.responseStatus === 'BAD') return refusal(flow)
  if (flow.code === 'InvalidSequenceSet' || flow.code === 'InvalidStringValue') {
    return new ApiError('provider_refused', 'the request holds what cannot be said to a mail server', {
      cause: stripped(error),
    })
  }
  return error
}

const byResponseCode: Record<string, string> = {
  OVERQUOTA: 'the mailbox is full',
  ALREADYEXISTS: 'there is a folder of this name already',
  NONEXISTENT: 'there is no such folder',
  TRYCREATE: 'there is no such folder',
  NOPERM: 'the server does not allow it',
  CANNOT: 'the server does not take this name',
  LIMIT: 'a limit of the server is reached',
}

/** What a server refused; its text is passed on, it is about the account of whoever asks. */
function refusal(error: ImapFlowError): ApiError {
  const code = responseCodeOf(error)
  const said = `${error.responseText ?? ''}`.slice(0, 500)
  const isLater = notNow.has(code) || /authenticated but not connected/i.test(said)
  return refusedWith(isLater ? 'UNAVAILABLE' : code, {
    providerError: { status: error.responseStatus, code: code || null, message: said },
    cause: stripped(error),
  })
}

/** The error for what a server refused with a response code; `usual` is said where the code says nothing. */
export function refusedWith(code: string, details: ErrorDetails, usual?: string): ApiError {
  if (notNow.has(code)) {
    return new ApiError('provider_unavailable', 'the mail server cannot do this now; try again', details)
  }
  const reason = byResponseCode[code]
  return new ApiError('provider_refused', reason ? `the mail server refused: ${reason}` : usual, details)
}

/** An error without the command that was sent: it may hold what a user wrote, or a password. */
const stripped = (error: unknown): Error =>
  new Error(`${codeOf(error)} ${error instanceof Error ? error.message : ''}`.trim())
