/**
 * One call: request, response and retries.
 *
 * An attempt with a temporary failure (no response, 429, 502 to 504, or an error that the contract calls temporary)
 * is repeated: reads have no effect, and all attempts of a write carry the same Idempotency-Key, for which the
 * service does the work once.
 */
import { type Answer, readAnswer, readFileAnswer } from './answer.ts'
import { bodyOf, isForm, type OutgoingFile } from './form.ts'
import type { Settings } from './options.ts'
import type { RouteFacts } from './route-facts.ts'
import { eitherSignal } from './signals.ts'
import { WaypostError } from './waypost-error.ts'

/** Arguments of any call, without the types of its route. */
export interface CallArguments {
  query?: Record<string, unknown>
  headers?: Record<string, unknown>
  body?: unknown
  files?: readonly OutgoingFile[]
  mime?: OutgoingFile['content']
  idempotencyKey?: string
  signal?: AbortSignal
  [param: string]: unknown
}

/** Calls a route until it succeeds, fails permanently, or the attempts are used up. */
export async function send(settings: Settings, route: RouteFacts, args: CallArguments): Promise<Answer> {
  const request: Outgoing = { ...openRequest(settings, route, args), signal: args.signal }
  for (let tries = 1; ; tries++) {
    args.signal?.throwIfAborted()
    try {
      return await tryOnce(settings, route, request)
    } catch (error) {
      if (!(error instanceof WaypostError) || tries > retriesOf(settings, route) || !error.temporary) throw error
      await pause(waitBefore(tries, error.retryAfter), args.signal)
    }
  }
}

/** The parts of a request. */
export const openRequest = (settings: Settings, route: RouteFacts, args: CallArguments): Omit<Outgoing, 'signal'> => ({
  url: urlOf(settings.baseUrl, route, args),
  method: route.method,
  headers: headersOf(settings, route, args),
  body: bodyOf(route, args),
})

/**
 * A code works once. It is unknown whether a first attempt was accepted, and a second one would revoke its tokens.
 */
const retriesOf = ({ retries }: Settings, route: RouteFacts): number =>
  route.audience === 'client' && route.method !== 'GET' ? 0 : retries

interface Outgoing {
  url: string
  method: string
  headers: Headers
  body: string | FormData | undefined
  signal: AbortSignal | undefined
}

function urlOf(baseUrl: string, route: RouteFacts, args: CallArguments): string {
  const path = route.path.replace(/:(\w+)/g, (_, name: string) => segmentOf(name, args[name]))
  const query = new URLSearchParams()
  const given = args.mime === undefined ? args.query : { ...args.query, type: 'mime' }
  for (const [name, value] of Object.entries(given ?? {})) {
    for (const item of Array.isArray(value) ? value : [value]) {
      if (item !== undefined) query.append(name, String(item))
    }
  }
  const text = query.toString()
  return `${baseUrl}${path}${text === '' ? '' : `?${text}`}`
}

/** An empty or dotted segment would name another resource: `creds/..` is the connector itself. */
function segmentOf(name: string, value: unknown): string {
  if (typeof value !== 'string' || value === '' || value === '.' || value === '..') {
    throw new TypeError(`${name} must be a text other than '', '.' and '..'`)
  }
  return encodeURIComponent(value)
}

function headersOf(settings: Settings, route: RouteFacts, args: CallArguments): Headers {
  const headers = new Headers(settings.headers)
  for (const [name, value] of Object.entries(args.headers ?? {})) {
    if (value !== undefined) headers.set(name, String(value))
  }
  headers.set('accept', route.answer === 'file' ? '*/*' : 'application/json')
  // `fetch` sets the content type of a form, because it generates the boundary.
  if (args.body !== undefined && !isForm(args)) headers.set('content-type', 'application/json')
  for (const [name, value] of credentialOf(settings, route)) headers.set(name, value)
  const key = args.idempotencyKey ?? (settings.retries > 0 ? newKey() : undefined)
  if (key !== undefined && route.method !== 'GET' && route.audience !== 'client') headers.set('idempotency-key', key)
  return headers
}

function credentialOf({ apiKey, admin }: Settings, route: RouteFacts): [name: string, value: string][] {
  if (route.audience === 'public') return []
  if (apiKey !== undefined && route.audience !== 'administrator') return [['authorization', `Bearer ${apiKey}`]]
  if (!admin || route.audience === 'client') return []
  const { email = 'admin', password, application } = admin
  const basic: [string, string][] =
    password === undefined ? [] : [['authorization', `Basic ${base64(`${email}:${password}`)}`]]
  if (route.audience === 'administrator' || application === undefined) return basic
  return [...basic, ['x-waypost-application', application]]
}

const base64 = (text: string): string => btoa(String.fromCharCode(...new TextEncoder().encode(text)))

/** Not `randomUUID`, which browsers offer on https pages only. */
const newKey = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('')

async function tryOnce(settings: Settings, route: RouteFacts, request: Outgoing): Promise<Answer> {
  const { url, signal, ...init } = request
  const timeout = new AbortController()
  const timer = setTimeout(() => timeout.abort(), settings.timeoutMs)
  try {
    // A redirect would turn a POST into a GET. The service sends none, so a redirect is reported as it is.
    const response = await settings.fetch(url, {
      ...init,
      redirect: 'manual',
      signal: signal ? eitherSignal(signal, timeout.signal) : timeout.signal,
    })
    // The timeout ends when the response is read; the download of a file has no timeout.
    if (route.answer === 'file') return await readFileAnswer(response, signal)
    return readAnswer(route, response, await response.text())
  } catch (cause) {
    signal?.throwIfAborted()
    if (cause instanceof WaypostError) throw cause
    const problem = timeout.signal.aborted ? `no answer within ${settings.timeoutMs} ms` : 'no connection, or it broke'
    throw new WaypostError(`${request.method} ${new URL(url).origin}${route.path}: ${problem}`, {
      type: 'network_error',
      cause,
    })
  } finally {
    clearTimeout(timer)
  }
}

const maxWait = 30_000

/**
 * The delay that the service requested; otherwise about half a second, then one, two, with jitter to spread clients.
 */
function waitBefore(tries: number, retryAfter: number | undefined): number {
  if (retryAfter !== undefined) return Math.min(retryAfter * 1000, maxWait)
  return Math.min(250 * 2 ** tries, maxWait) * (0.5 + Math.random() / 2)
}

export function pause(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = (): void => {
      clearTimeout(timer)
      reject(signal?.reason)
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop)
      resolve()
    }, milliseconds)
    signal?.addEventListener('abort', stop, { once: true })
  })
}
