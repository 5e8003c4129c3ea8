/**
 * Maps HTTP answers without SOAP to errors of the API: a refusal of a proxy in front of Exchange, or of Exchange
 * itself.
 */
import { ApiError } from '@waypost/platform/api-error'
import { type Refusal, refusalError } from '../shared/refusal.ts'
import { retryAfterSeconds } from '../shared/retry.ts'

/** Seconds to wait after a rate limit that does not name a time. */
const pauseSeconds = 60

const refusedWith = (answer: Refusal, reason: string, words: string): ApiError =>
  new ApiError('provider_refused', words, { providerError: { status: answer.status, reason, message: '' } })

const invalidWith = (answer: Refusal, reason: string, words: string): ApiError =>
  new ApiError('grant_invalid', words, { providerError: { status: answer.status, reason, message: '' } })

/** Whether an answer is a web page. */
export const isWebPage = ({ header, body }: Refusal): boolean =>
  /^text\/html/i.test(header('content-type') ?? '') || /^\s*<(!doctype html|html)/i.test(textOf(body))

const textOf = (body: Uint8Array): string => Buffer.from(body.subarray(0, 16_384)).toString()

/** Texts in Windows' refusal pages that name another reason than the password. */
const problems: readonly { said: RegExp; reason: string; words: string }[] = [
  {
    said: /locked out/i,
    reason: 'account_locked',
    words: 'the account is locked at Exchange; its administrator must unlock it, then the user must authenticate again',
  },
  {
    said: /must be changed|change (the|your) password/i,
    reason: 'password_change_required',
    words: 'the password of the account must be changed at Exchange, then the user must authenticate again',
  },
  {
    said: /has expired/i,
    reason: 'password_expired',
    words:
      'the password of the account, or the account, has expired at Exchange; then the user must authenticate again',
  },
  {
    said: /disabled/i,
    reason: 'account_disabled',
    words: 'the account is disabled at Exchange; its administrator must enable it',
  },
]

/** A refused sign-in is not retried, because each attempt counts towards locking the account. */
function notLetIn(answer: Refusal): ApiError {
  const page = textOf(answer.body)
  const known = problems.find(({ said }) => said.test(page))
  if (known) return invalidWith(answer, known.reason, known.words)
  return invalidWith(answer, 'credentials', 'Exchange does not accept the user name and password')
}

const locked = (answer: Refusal): ApiError =>
  invalidWith(answer, 'account_locked', problems[0]?.words ?? 'the account is locked at Exchange')

/** Errors for statuses with a single meaning. */
const byStatus: Readonly<Record<number, (answer: Refusal) => ApiError>> = {
  401: notLetIn,
  403: (answer) =>
    refusedWith(
      answer,
      'forbidden',
      'Exchange does not let the account use Exchange Web Services; its administrator must allow it',
    ),
  404: (answer) =>
    // IIS reports a request that is too long this way.
    /\b404\.13\b/.test(textOf(answer.body))
      ? tooLarge(answer)
      : refusedWith(
          answer,
          'no_web_services',
          'there are no Exchange Web Services at that address; check the server and its virtual directory EWS',
        ),
  405: (answer) => refusedWith(answer, 'no_web_services', 'there are no Exchange Web Services at that address'),
  413: (answer) => tooLarge(answer),
  440: (answer) => behindLogin(answer),
  451: (answer) =>
    refusedWith(
      answer,
      'mailbox_elsewhere',
      'the mailbox is at another Exchange server now; authenticate the account again',
    ),
  456: locked,
}

const tooLarge = (answer: Refusal): ApiError => refusedWith(answer, 'too_large', 'it is larger than Exchange takes')

const behindLogin = (answer: Refusal): ApiError =>
  refusedWith(
    answer,
    'web_page',
    'a page for people answers in place of Exchange Web Services, such as the login page of a proxy; let the service past it',
  )

/** The error for an answer without SOAP. */
export function httpError(answer: Refusal): ApiError {
  const { status, header } = answer
  const known = byStatus[status]
  if (known) return known(answer)
  if (status >= 300 && status < 400) return redirected(answer)
  if (status < 300) return isWebPage(answer) ? behindLogin(answer) : notExchange(answer)
  const named = retryAfterSeconds(header)
  const reason = header('x-caserrorcode') ?? ''
  return refusalError(
    'Exchange',
    { status: status === 449 ? 503 : status, reason, message: '' },
    { rateLimit: status === 429 ? { named, pauseSeconds } : undefined, retryAfter: named },
  )
}

/** Exchange redirects to an error page during an outage; any other redirect is meant for people. */
function redirected(answer: Refusal): ApiError {
  if (!/\/ews\/genericerrorpage\.htm/i.test(answer.header('location') ?? '')) return behindLogin(answer)
  return refusalError('Exchange', { status: 503, reason: 'generic_error_page', message: '' }, {})
}

const notExchange = (answer: Refusal): ApiError =>
  refusedWith(answer, 'not_exchange', 'the server does not answer as Exchange Web Services do')

/** The server offers no supported authentication scheme. */
export const noSignIn = (): ApiError =>
  new ApiError(
    'provider_refused',
    'Exchange offers neither Basic nor NTLM to sign in with; its administrator must enable one of them for EWS',
    { providerError: { status: 401, reason: 'no_sign_in', message: '' } },
  )
