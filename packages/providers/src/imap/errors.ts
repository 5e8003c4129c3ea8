/**
 * Maps failures of imapflow, sockets and servers to API errors. The server's own text is left out, except in
 * `refusal` and about a refused login.
 */

import { ApiError, type ErrorDetails } from '@waypost/platform/api-error'
import type { ImapFlowError } from 'imapflow'
import { ConnectionFailed, codeOf, networkFailed, notMail } from '../mail/connection-failed.ts'
import { type Login, wordsAbout } from '../mail/server-account.ts'

const closed = new Set(['NoConnection', 'EConnectionClosed', 'StateLogout'])
/** Response codes of a refused login that say nothing about the credentials (RFC 5530). */
const passing = new Set(['UNAVAILABLE', 'LIMIT', 'INUSE', 'SERVERBUG', 'CONTACTADMIN', 'PRIVACYREQUIRED'])
/** Response codes that do. */
const lasting = new Set(['AUTHENTICATIONFAILED', 'AUTHORIZATIONFAILED', 'EXPIRED'])
const tooMany = /too many|maximum (?:number of )?connection|mail_max_userip|limit/i
/** Texts of servers without response codes that report their own failure. */
const indisposed =
  /temporar|unavailable|not connected|timed? ?out|internal (?:server )?error|system (?:error|failure)|too busy|overload|maintenance|later/i
const isWrong = /invalid|incorrect|wrong|bad (?:user|pass|cred)/i

/** The error of a failed connection attempt. */
export function connectionFailed(
  error: unknown,
  { host, port }: { host: string; port: number },
  login: Login,
): ConnectionFailed {
  const flow = error as ImapFlowError & { reason?: unknown }
  const where = `${host} port ${port}`
  const code = codeOf(error)
  // The text of the server's BYE.
  const parting = closed.has(code) || code.startsWith('ClosedAfterConnect') ? flow.reason : undefined
  if (typeof parting === 'string') {
    if (tooMany.test(parting)) return new ConnectionFailed('limit', `${where} allows no more connections`, error)
    return new ConnectionFailed('unavailable', `${where} closed the connection`, error)
  }
  if (flow.authenticationFailed && flow.responseStatus) return loginFailed(flow, where, login)
  if (/^(?:Login is disabled|No matching authentication|Unsupported authentication)/.test(flow.message)) {
    const what = 'offers no supported way to log in with a password or token'
    return new ConnectionFailed('method', `${where} ${what}`, error)
  }
  const failed = networkFailed(error, { host, port })
  if (failed) return failed
  // Also during a login; this says nothing about the credentials.
  if (closed.has(code) || flow.authenticationFailed)
    return new ConnectionFailed('connect', `${where} closed the connection`, error)
  return notMail({ host, port }, error)
}

/** The meaning of NO or BAD in response to a login. */
function loginFailed(error: ImapFlowError, where: string, login: Login): ConnectionFailed {
  const code = responseCodeOf(error)
  const said = `${error.responseText ?? ''}`
  if (code === 'LIMIT' || tooMany.test(said))
    return new ConnectionFailed('limit', `${where} allows no more connections`, error)
  const isRetryable = passing.has(code) || (!lasting.has(code) && indisposed.test(said) && !isWrong.test(said))
  if (isRetryable) return new ConnectionFailed('unavailable', `${where} cannot log the account in at the moment`, error)
  const message = `${where} did not accept the user name and the password or token`
  return new ConnectionFailed('credentials', message, error, wordsAbout(login, said))
}

/** The response code of a refusal (RFC 3501 §7.1) in upper case; empty if there is none. */
export function responseCodeOf(error: unknown): string {
  const { serverResponseCode, response } = error as { serverResponseCode?: unknown; response?: unknown }
  if (typeof serverResponseCode === 'string') return serverResponseCode.toUpperCase()
  const [first] = (response as { attributes?: { section?: { value?: unknown }[] }[] } | undefined)?.attributes ?? []
  const value = first?.section?.[0]?.value
  return typeof value === 'string' ? value.toUpperCase() : ''
}

/** Response codes of temporary failures. */
const notNow = new Set(['UNAVAILABLE', 'SERVERBUG', 'INUSE'])

/** Whether a server refused a command for a reason other than its own state. */
export const isRefused = (error: unknown): boolean =>
  (error as ImapFlowError).responseStatus === 'NO' && !notNow.has(responseCodeOf(error))

/** Whether an open connection was lost. */
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

/** Whether a response could not be parsed, which also ends the connection. */
export function isUnreadable(error: unknown): boolean {
  const code = codeOf(error)
  const kinds = ['MAX_IMAP_NESTING_REACHED', 'LiteralTooLarge', 'LineTooLarge', 'ResponseTooLarge']
  return kinds.includes(code) || code.startsWith('ParserError') || code === 'ResponseProcessingFailed'
}

/** Maps any failure of an operation to an API error. */
export function toApiError(error: unknown): unknown {
  if (error instanceof ApiError) return error
  if (error instanceof ConnectionFailed) {
    if (error.failure === 'credentials') {
      const details = error.said ? { providerError: { message: error.said } } : {}
      return new ApiError('grant_invalid', `${error.message}: the end user must authenticate again`, {
        ...details,
        cause: error,
      })
    }
    if (error.failure === 'limit') {
      return new ApiError('provider_rate_limited', 'the mail server allows no more connections at the moment', {
        retryAfter: 10,
        cause: error,
      })
    }
    return new ApiError('provider_unavailable', `the mail server cannot be used at the moment: ${error.message}`, {
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
    return new ApiError('provider_refused', 'the request contains characters that cannot be sent to a mail server', {
      cause: stripped(error),
    })
  }
  return error
}

const byResponseCode: Record<string, string> = {
  OVERQUOTA: 'the mailbox is full',
  ALREADYEXISTS: 'a folder with this name already exists',
  NONEXISTENT: 'the folder does not exist',
  TRYCREATE: 'the folder does not exist',
  NOPERM: 'the server does not allow it',
  CANNOT: 'the server does not accept this name',
  LIMIT: 'a limit of the server is reached',
}

/** The server's reason for a refusal. Its text is passed on because it concerns the caller's own account. */
function refusal(error: ImapFlowError): ApiError {
  const code = responseCodeOf(error)
  const said = `${error.responseText ?? ''}`.slice(0, 500)
  const isLater = notNow.has(code) || /authenticated but not connected/i.test(said)
  return refusedWith(isLater ? 'UNAVAILABLE' : code, {
    providerError: { status: error.responseStatus, code: code || null, message: said },
    cause: stripped(error),
  })
}

/** The error for a refusal by response code; `usual` applies if the code is unknown. */
export function refusedWith(code: string, details: ErrorDetails, usual?: string): ApiError {
  if (notNow.has(code)) {
    return new ApiError('provider_unavailable', 'the mail server cannot do this at the moment; try again', details)
  }
  const reason = byResponseCode[code]
  return new ApiError('provider_refused', reason ? `the mail server refused: ${reason}` : usual, details)
}

/** The error without the command, which may contain user data or a password. */
const stripped = (error: unknown): Error =>
  new Error(`${codeOf(error)} ${error instanceof Error ? error.message : ''}`.trim())
