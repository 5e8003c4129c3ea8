/**
 * Requests for every route of the contract, strings that often break software, and the common properties of every
 * response.
 */
import { type Contract, contract, methodsOf, type NamedRoute, routesOf } from '@waypost/contract'
import { expect } from 'vitest'
import type { Answer } from '../../harness.ts'

export const routes: readonly NamedRoute[] = routesOf(contract as Contract)
export const routeOf = (id: string): NamedRoute => {
  const found = routes.find((named) => named.id === id)
  if (!found) throw new Error(`no route ${id}`)
  return found
}

/** The path of a route with its parameters inserted unchanged; the caller encodes them. */
export const pathOf = (named: NamedRoute, params: Record<string, string> = {}): string =>
  named.route.path.replace(/:([a-z_]+)/g, (_, name) => params[name] ?? 'missing')

export type Place = readonly (string | number)[]

/** The places of all leaves of a body. */
export function leavesOf(value: unknown, at: Place = []): Place[] {
  if (typeof value !== 'object' || value === null) return [at]
  return Object.entries(value).flatMap(([name, item]) =>
    leavesOf(item, [...at, Array.isArray(value) ? Number(name) : name]),
  )
}

export const valueAt = (value: unknown, place: Place): unknown =>
  place.reduce<unknown>(
    (at, step) => (typeof at === 'object' && at !== null ? Reflect.get(at, step) : undefined),
    value,
  )

/** A copy of a body with one replaced value. */
export function withValue(body: unknown, place: Place, value: unknown): unknown {
  const [step, ...rest] = place
  if (step === undefined) return value
  if (Array.isArray(body)) return body.map((item, index) => (index === step ? withValue(item, rest, value) : item))
  const object = body as Record<string, unknown>
  return { ...object, [step]: withValue(object[step], rest, value) }
}

export const isAdministrators = (named: NamedRoute): boolean => named.route.audience === 'administrator'
export const mainMethod = (named: NamedRoute): string => methodsOf(named.route)[0] ?? 'GET'

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** The common properties of every response of the API, successful or not. */
export function expectSound(answer: Answer, about = ''): void {
  const requestId = answer.headers.get('x-request-id')
  const seen = { type: answer.headers.get('content-type'), requestId, said: answer.body.request_id }
  expect(seen, about).toEqual({ type: 'application/json', requestId: expect.stringMatching(uuid), said: requestId })
  if (answer.status < 400) return
  // The error format of OAuth, which is flat.
  if (typeof answer.body.error === 'string') {
    const { error_code: code, error_description: description, error_uri: uri } = answer.body
    expect([code, typeof description, typeof uri], about).toEqual([answer.status, 'string', 'string'])
    return
  }
  expect(answer.body, about).toEqual({
    request_id: expect.any(String),
    error: expect.objectContaining({ type: expect.any(String), message: expect.stringMatching(/./s) }),
  })
}

/** Whether a response is a file instead of JSON. */
export const isFile = ({ status, headers }: Pick<Answer, 'status' | 'headers'>): boolean =>
  status < 400 && headers.get('content-type') === 'text/calendar; charset=utf-8'

/** A valid response or a file, and no server error. */
export function expectNoFault(answer: Answer, about = ''): void {
  if (answer.status >= 500) throw new Error(`${answer.status} for ${about}: ${JSON.stringify(answer.body)}`)
  if (!isFile(answer)) expectSound(answer, about)
}

/** Strings that often break software, based on the Big List of Naughty Strings, by kind. */
export const naughty: readonly string[] = [
  ...['', ' ', '\t\r\n', 'undefined', 'null', 'NaN', 'true', '-1', '0x7fffffff', '1e309'],
  ...['9223372036854775808', '١٢٣', `';-- drop table grants`, `' or '1'='1`, '$1', '%', '_%_'],
  ...['%s%n%d', '#{7*7}{{7*7}}<%= 7*7 %>', '<script>alert(1)</script>', '"\\\'`'],
  ...['../../../../etc/passwd', 'file:///etc/passwd', 'javascript:alert(1)'],
  ...['http://169.254.169.254/latest/meta-data', 'https://user:pass@app.test/'],
  ...['https://[::1]:99999/', 'https://app.test\\@evil.test/', '| sleep 5 ; $(sleep 5) `sleep 5`'],
  ...['\u0001\u001b[31m\u007f\u0085', 'line one\nline two\r\n{"level":60}'],
  ...['\u00ad\u200b\u200e\u2028\u2029\ufeff', '\u202etest\u202d', 'Ω≈ç√∫˜µ≤≥÷', '社會科學院語學研究所'],
  ...['مُنَاقَشَةُ سُبُلِ', 'İıßſﬀ', 'e\u0301 vs é', 'Z̮̞̠͙͔ͅḀ̗̞͈̻̗Ḷ͙͎̯̹̞͓G̻O̭̗̮'],
  ...['👩‍👩‍👧‍👦🏴󠁧󠁢󠁥󠁮󠁧󠁿🇺🇸', '\ufdd0\uffff\u{10ffff}', '__proto__', 'constructor', 'toString'],
  ...['hasOwnProperty', 'me', 'grant:', 'external:', '00000000-0000-0000-0000-000000000000'],
  ...['a,b,,c', 'a[b]=c&d=e#f', '%00%0a%zz', 'x'.repeat(257), '界'.repeat(1025)],
]
