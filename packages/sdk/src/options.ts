import { limits } from './generated/service-facts.ts'

export interface WaypostOptions {
  /** Where the service is: `http://127.0.0.1:3000` unless told. */
  baseUrl?: string | undefined
  /** Opens the routes of an application and its grants. */
  apiKey?: string | undefined
  /**
   * Opens the administrator's routes; with `application`, and where there is no `apiKey`, also the routes of that
   * application. The password is that of the person with this address, or without one that of the installation. A page
   * of the service's own origin leaves the password out: the browser sends the cookie of its session.
   */
  admin?: { email?: string | undefined; password?: string | undefined; application?: string | undefined } | undefined
  /** Takes the place of the global `fetch`: for tests, proxies, tracing. */
  fetch?: typeof globalThis.fetch | undefined
  /** Milliseconds for one try, until its answer is read; the service itself gives up after 90 000. */
  timeoutMs?: number | undefined
  /** How often a call is repeated after a temporary failure: 2 unless told. */
  retries?: number | undefined
  /** Sent with every request. */
  headers?: Record<string, string> | undefined
}

export type Settings = WaypostOptions & Required<Pick<WaypostOptions, 'baseUrl' | 'fetch' | 'timeoutMs' | 'retries'>>

/** Options with what was left out; throws where the address or a header cannot be one. */
export function settingsOf(options: WaypostOptions): Settings {
  const { baseUrl = 'http://127.0.0.1:3000', timeoutMs = limits.deadlineMs, retries = 2 } = options
  new Headers(options.headers)
  return {
    ...options,
    baseUrl: new URL(baseUrl).href.replace(/\/+$/, ''),
    // Looked up at each call and called as a plain function: browsers refuse it as a method of another object.
    fetch: options.fetch ?? ((input, init) => globalThis.fetch(input, init)),
    timeoutMs,
    retries,
  }
}
