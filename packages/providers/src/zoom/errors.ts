/** Maps Zoom's errors to errors of the API. The API answers `{ code, message }`, the token endpoint `{ error, reason }`. */
import type { ApiError } from '@waypost/platform/api-error'
import type { Explanation } from '../shared/oauth-token.ts'
import { objectIn, type Refusal, type RefusalDetail, recordOf, refusalError } from '../shared/refusal.ts'
import { retryAfterSeconds } from '../shared/retry.ts'

/** Seconds to wait if Zoom does not name a time. */
const pauseSeconds = 10
/** The token has no scope for the call. */
const lacksScopeCodes: ReadonlySet<unknown> = new Set([104, 4711])
const maxMessage = 500

const text = (value: unknown): string => (typeof value === 'string' ? value : '')

/** The fields of `errors`, which say what is wrong with a request. */
const fieldErrors = (errors: unknown): string[] =>
  (Array.isArray(errors) ? errors : []).map(recordOf).map(({ field, message }) => `${text(field)}: ${text(message)}`)

function readError(status: number, body: Uint8Array): RefusalDetail {
  const { code, message, errors } = objectIn(body)
  const words = [text(message), ...fieldErrors(errors)].filter(Boolean).join(' ')
  return { status, reason: code === undefined ? '' : String(code), message: words.slice(0, maxMessage) }
}

/** The error of the API for a call that Zoom refused. `scopes` are the sufficient ones, if the caller knows them. */
export function refused(answer: Refusal, scopes?: readonly string[]): ApiError {
  const said = readError(answer.status, answer.body)
  const isRateLimit = answer.status === 429
  return refusalError('Zoom', said, {
    rateLimit: isRateLimit ? { named: retryAfterSeconds(answer.header), pauseSeconds } : undefined,
    retryAfter: answer.status >= 500 ? retryAfterSeconds(answer.header) : undefined,
    lacksScope: lacksScopeCodes.has(Number(said.reason)),
    ...(scopes ? { scopes } : {}),
  })
}

/** The explanation of a refusal of the token endpoint; its `reason` is a sentence. */
export function explain({ error, reason }: Readonly<Record<string, unknown>>): Explanation | undefined {
  const said = text(reason).slice(0, maxMessage)
  if (error === 'invalid_grant') {
    return { words: 'Zoom no longer accepts the code or token: the end user must sign in again', needsSignIn: true }
  }
  if (error === 'invalid_client') return { words: 'Zoom does not accept the client_id or the client_secret' }
  return said === '' ? undefined : { words: `Zoom answered: ${said}` }
}
