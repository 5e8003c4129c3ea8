/** A request with the SDK of Waypost. */
import type { NamedRoute } from '@waypost/contract'
import type { AnyCase } from '@waypost/contract/examples'
import { Expression, literal } from './literal.ts'

const environment = (name: string): Expression => new Expression(`process.env.${name}`)

function optionsOf({ route: { audience } }: NamedRoute, baseUrl: string): Record<string, unknown> {
  if (audience === 'public') return { baseUrl }
  if (audience === 'administrator') return { baseUrl, admin: { password: environment('WAYPOST_ADMIN_PASSWORD') } }
  return { baseUrl, apiKey: environment('WAYPOST_API_KEY') }
}

/** The useful part of the result of a call. */
function resultOf({ route }: NamedRoute): string {
  if (route.bytes) return 'const file = '
  return route.returns ? 'const { data } = ' : ''
}

const hasFields = (record: object | undefined): boolean => Object.keys(record ?? {}).length > 0

/** The program for an example. */
export function sdkSample(named: NamedRoute, example: AnyCase, baseUrl: string): string {
  const { params, query, headers, body } = example
  const fields = {
    ...params,
    ...(hasFields(query) ? { query } : {}),
    ...(hasFields(headers) ? { headers } : {}),
    ...(body ? { body } : {}),
  }
  const call = `waypost.${named.id}(${hasFields(fields) ? literal(fields) : ''})`
  return [
    "import { createWaypost } from '@waypost/sdk'",
    '',
    `const waypost = createWaypost(${literal(optionsOf(named, baseUrl))})`,
    `${resultOf(named)}await ${call}`,
  ].join('\n')
}
