/** The response headers about the provider calls of a request, each with the name that published clients know. */
import type { CallCount } from '@waypost/providers/call-count'

export const callHeaderNames = {
  calls: ['x-provider-request-count', 'nylas-provider-request-count'],
  quotaUnits: ['x-google-quota-units', 'nylas-gmail-quota-usage'],
} as const

/** The headers of what is counted so far; none for what is unknown. */
export const callHeaders = ({ calls, quotaUnits }: CallCount): Record<string, string> => ({
  ...named(callHeaderNames.calls, calls),
  ...named(callHeaderNames.quotaUnits, quotaUnits),
})

const named = (names: readonly string[], count: number | undefined): Record<string, string> =>
  count === undefined ? {} : Object.fromEntries(names.map((name) => [name, String(count)]))
