/**
 * The cookies of an account at its server. They route its requests to the machine with its mailbox
 * (`X-BackEndOverrideCookie`, `exchangecookie`). They belong to one origin, so paths and domains are ignored.
 */
import type { Clock } from '@waypost/platform/clock'

const maxCookies = 20
const maxCookie = 4_096

export class Cookies {
  readonly #values = new Map<string, string>()

  /** The header for a request; undefined if there are none. */
  get header(): string | undefined {
    if (this.#values.size === 0) return undefined
    return Array.from(this.#values, ([name, value]) => `${name}=${value}`).join('; ')
  }

  /** Stores the cookies that a server sets, one per header. */
  take(headers: readonly string[], clock: Clock): void {
    for (const header of headers) {
      const [, name, value = '', attributes = ''] = /^\s*([^=;\s]+)=([^;]*)(.*)$/s.exec(header) ?? []
      if (name === undefined || header.length > maxCookie || !isPlain(value)) continue
      this.#values.delete(name)
      if (value !== '' && !hasEnded(attributes, clock)) this.#values.set(name, value.trim())
      if (this.#values.size > maxCookies) this.#values.delete(this.#values.keys().next().value ?? '')
    }
  }

  clear(): void {
    this.#values.clear()
  }
}

/** Whether a value is allowed in a header. */
const isPlain = (value: string): boolean => /^[\x20-\x7e]*$/.test(value)

function hasEnded(attributes: string, clock: Clock): boolean {
  const [, seconds] = /;\s*max-age=(-?\d+)/i.exec(attributes) ?? []
  if (seconds !== undefined) return Number(seconds) <= 0
  const [, expires] = /;\s*expires=([^;]+)/i.exec(attributes) ?? []
  return expires !== undefined && Date.parse(expires) <= clock.now()
}
