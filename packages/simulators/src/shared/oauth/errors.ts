// Sign-in errors, and the parsing of OAuth requests.
import { jsonAnswer, type RawAnswer, type RawRequest } from '../http.ts'

/** An error of the token endpoint (RFC 6749 section 5.2). */
export class OAuthError extends Error {
  readonly status: number
  readonly code: string

  constructor(status: number, code: string, description: string) {
    super(description)
    this.status = status
    this.code = code
  }
}

export function oauthErrorAnswer({ status, code, message }: OAuthError): RawAnswer {
  return jsonAnswer(status, { error: code, error_description: message }, { 'cache-control': 'no-store' })
}

/** The fields of a posted form, and those of the query. */
export function formOf({ url, body }: RawRequest): URLSearchParams {
  const form = new URLSearchParams(url.searchParams)
  for (const [name, value] of new URLSearchParams(new TextDecoder().decode(body))) form.append(name, value)
  return form
}

/** The client's id and secret, from the `Authorization` header or else from the form. */
export function clientCredentials(
  form: URLSearchParams,
  headers: Headers,
): { id: string | null; secret: string | null } {
  const basic = /^Basic (.+)$/i.exec(headers.get('authorization') ?? '')?.[1]
  if (basic === undefined) return { id: form.get('client_id'), secret: form.get('client_secret') }
  const [id = '', secret = ''] = Buffer.from(basic, 'base64').toString().split(':')
  return { id: decodeURIComponent(id), secret: decodeURIComponent(secret) }
}
