/** A browser without script for hosted sign-ins: it stores cookies, reads forms, and follows links on request. */
import type { TestService } from '../../harness.ts'

export interface Seen {
  status: number
  headers: Headers
  text: string
  /** The target of the response: from a redirect, or from the page itself. */
  location: string | undefined
}

export interface Visitor {
  get(url: string, headers?: Record<string, string>): Promise<Seen>
  post(url: string, fields: Record<string, string>, headers?: Record<string, string>): Promise<Seen>
  /** The browser's cookies. */
  cookies: Map<string, string>
}

const decoded = (text: string): string =>
  text.replace(
    /&(amp|lt|gt|quot|#39);/g,
    (_, name) => ({ amp: '&', lt: '<', gt: '>', quot: '"' })[name as string] ?? "'",
  )

/** The address to which a page redirects by itself. */
const refreshOf = (text: string): string | undefined => {
  const found = /http-equiv="refresh" content="0;url=([^"]*)"/.exec(text)?.[1]
  return found === undefined ? undefined : decoded(found)
}

/** The values of a form's fields, including hidden ones. */
export function fieldsOf(text: string): Record<string, string> {
  const fields: Record<string, string> = {}
  for (const [input] of text.matchAll(/<input [^>]*>/g)) {
    const name = / name="([^"]*)"/.exec(input)?.[1]
    if (name !== undefined) fields[name] = decoded(/ value="([^"]*)"/.exec(input)?.[1] ?? '')
  }
  return fields
}

/** A new browser at a service. */
export function visitorOf(service: TestService): Visitor {
  const cookies = new Map<string, string>()
  const send = async (url: string, init: RequestInit): Promise<Seen> => {
    const { pathname, search } = new URL(url, 'http://127.0.0.1')
    const headers = new Headers(init.headers)
    if (!headers.has('accept')) headers.set('accept', 'text/html,application/xhtml+xml')
    headers.set('user-agent', 'Visitor/1')
    const held = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    if (held !== '' && !headers.has('cookie')) headers.set('cookie', held)
    const response = await service.app.request(`${pathname}${search}`, { ...init, headers })
    for (const line of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
      cookies.set(name, value)
    }
    const text = await response.text()
    const location = response.headers.get('location') ?? refreshOf(text)
    return { status: response.status, headers: response.headers, text, location }
  }
  return {
    cookies,
    get: (url, headers = {}) => send(url, { headers }),
    post: (url, fields, headers = {}) =>
      send(url, {
        method: 'POST',
        headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
        body: String(new URLSearchParams(fields)),
      }),
  }
}

export const redirectUri = 'https://app.test/cb'

/** The address at which an application starts a sign-in. */
export const authUrl = (clientId: string, query: Record<string, string> = {}): string =>
  `/v3/connect/auth?${new URLSearchParams({
    client_id: clientId,
    redirect_uri: redirectUri,
    response_type: 'code',
    ...query,
  })}`

/** The parameters that an application gets at its redirect URI. */
export function resultOf(location: string | undefined, back = redirectUri): Record<string, string> {
  if (!location?.startsWith(back)) throw new Error(`not at the application: ${location}`)
  return Object.fromEntries(new URL(location).searchParams)
}

/** An application with its redirect URI. */
export async function newClient(service: TestService, uri = redirectUri): Promise<{ id: string; key: string }> {
  const made = await service.createApplication('Acme')
  const answer = await service.call('POST', '/v3/applications/redirect-uris', { key: made.key, body: { url: uri } })
  if (answer.status !== 200) throw new Error(JSON.stringify(answer.body))
  return made
}
