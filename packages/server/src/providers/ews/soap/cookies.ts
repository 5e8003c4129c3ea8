/**
 * The cookies of an account at its server. They lead its requests to the machine that has its mailbox open
 * (`X-BackEndOverrideCookie`, `exchangecookie`) and are of one origin, so that paths and domains need not be looked at.
 */
import type { Clock } from '../../../lib/clock.ts'

const mostCookies = 20
const longestCookie = 4_096

export class Cookies {
  readonly #values = new Map<string, string>()

  /** The header for a request; undefined where there are none. */
  get header(): string | undefined {
    if (this.#values.size === 0) return undefined
    return Array.from(this.#values, ([name, value]) => `${name}=${value}`).join('; ')
  }

  /** Takes what a server sets, each as one header. */
  take(headers: readonly string[], clock: Clock): void {
    for (const header of headers) {
      const [, name, value = '', attributes = ''] = /^\s*([^=;\s]+)=([^;]*)(.*)$/s.exec(header) ?? []
      if (name === undefined || header.length > longestCookie || !isPlain(value)) continue
      this.#values.delete(name)
      if (value !== '' && !hasEnded(attributes, clock)) this.#values.set(name, value.trim())
      if (this.#values.size > mostCookies) this.#values.delete(this.#values.keys().next().value ?? '')
    }
  }

  clear(): void {
    this.#values.clear()
  }
}

/** What may stand in a header. */
const isPlain = (value: string): boolean => /^[\x20-\x7e]*$/.test(value)

function hasEnded(attributes: string, clock: Clock): boolean {
  const [, seconds] = /;\s*max-age=(-?\d+)/i.exec(attributes) ?? []
  if (seconds !== undefined) return Number(seconds) <= 0
  const [, expires] = /;\s*expires=([^;]+)/i.exec(attributes) ?? []
  return expires !== undefined && Date.parse(expires) <= clock.now()
}
