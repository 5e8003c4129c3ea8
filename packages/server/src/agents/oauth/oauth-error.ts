/** A refusal in the form of OAuth (RFC 6749 §5.2). */
export class OAuthError extends Error {
  readonly error: string
  readonly status: number
  readonly retryAfter: number | undefined

  constructor(error: string, description: string, { status = 400, retryAfter }: OAuthErrorOptions = {}) {
    super(description)
    this.error = error
    this.status = status
    this.retryAfter = retryAfter
  }
}

interface OAuthErrorOptions {
  status?: number
  /** In seconds. */
  retryAfter?: number
}

/** A parameter that occurs at most once, as RFC 6749 §3.1 requires. An empty one counts as absent. */
export function single(parameters: URLSearchParams, name: string): string | undefined {
  const [value, second] = parameters.getAll(name)
  if (second !== undefined) throw new OAuthError('invalid_request', `${name}: send it once`)
  return value === '' ? undefined : value
}

export function needed(parameters: URLSearchParams, name: string): string {
  const value = single(parameters, name)
  if (value === undefined) throw new OAuthError('invalid_request', `${name}: is required`)
  return value
}
