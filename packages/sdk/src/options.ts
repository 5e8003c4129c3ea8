import { limits } from './generated/service-facts.ts'

export interface WaypostOptions {
  /** URL of the service; default `http://127.0.0.1:3000`. */
  baseUrl?: string | undefined
  /** API key for the routes of an application and its grants. */
  apiKey?: string | undefined
  /**
   * Credentials for the administrator routes; with `application` and without `apiKey`, also for the routes of that
   * application. With `email`, the password is that person's; without it, the installation's. A page of the service's
   * own origin omits the password, because the browser sends its session cookie.
   */
  admin?: { email?: string | undefined; password?: string | undefined; application?: string | undefined } | undefined
  /** Replaces the global `fetch`: for tests, proxies, tracing. */
  fetch?: typeof globalThis.fetch | undefined
  /** Timeout of one attempt in milliseconds, until its response is read; the service itself stops after 90 000. */
  timeoutMs?: number | undefined
  /** Number of retries after a temporary failure; default 2. */
  retries?: number | undefined
  /** Sent with every request. */
  headers?: Record<string, string> | undefined
}

export type Settings = WaypostOptions & Required<Pick<WaypostOptions, 'baseUrl' | 'fetch' | 'timeoutMs' | 'retries'>>

/** Options with defaults; throws if the URL or a header is invalid. */
export function settingsOf(options: WaypostOptions): Settings {
  const { baseUrl = 'http://127.0.0.1:3000', timeoutMs = limits.deadlineMs, retries = 2 } = options
  new Headers(options.headers)
  return {
    ...options,
    baseUrl: new URL(baseUrl).href.replace(/\/+$/, ''),
    // Looked up at each call and called as a plain function, because browsers refuse it as a method of another
    // object.
    fetch: options.fetch ?? ((input, init) => globalThis.fetch(input, init)),
    timeoutMs,
    retries,
  }
}
