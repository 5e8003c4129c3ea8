/** Code samples of an operation, made from its example. */
import type { NamedRoute } from '@waypost/contract'
import type { AnyCase } from '@waypost/contract/examples'
import { mainCase } from '../examples.ts'
import type { Json } from '../json.ts'
import { Expression, literal } from './literal.ts'
import { nylasSample } from './nylas.ts'

const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`

/** Addresses of the service, with readable commas and colons. */
const encode = (value: unknown): string =>
  encodeURIComponent(String(value)).replaceAll('%2C', ',').replaceAll('%3A', ':')

function urlOf({ route }: NamedRoute, { params = {}, query = {} }: AnyCase, baseUrl: string): string {
  const path = route.path.replace(/:([a-z_]+)/g, (_, name) => encode(params[name] ?? ''))
  const fields = Object.entries(query).map(([name, value]) => `${name}=${encode(value)}`)
  return `${baseUrl}${path}${fields.length > 0 ? `?${fields.join('&')}` : ''}`
}

function credentialOf({ route: { audience } }: NamedRoute): string[] {
  if (audience === 'application' || audience === 'grant' || audience === 'guest') {
    return ['-H "Authorization: Bearer $WAYPOST_API_KEY"']
  }
  return audience === 'administrator' ? ['-u "admin:$WAYPOST_ADMIN_PASSWORD"'] : []
}

/** The shell command for an example. */
function curlSample(named: NamedRoute, example: AnyCase, baseUrl: string): string {
  const { method, bytes } = named.route
  const headers = Object.entries(example.headers ?? {}).map(([name, value]) => `-H ${quoted(`${name}: ${value}`)}`)
  const body = example.body && [
    "-H 'Content-Type: application/json'",
    `-d ${quoted(JSON.stringify(example.body, null, 2))}`,
  ]
  return [
    `curl${method === 'GET' ? '' : ` -X ${method}`} ${quoted(urlOf(named, example, baseUrl))}`,
    ...credentialOf(named),
    ...headers,
    ...(body ?? []),
    ...(bytes ? ['-OJ'] : []),
  ].join(' \\\n  ')
}

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

/** The program for an example with the SDK of Waypost. */
function sdkSample(named: NamedRoute, example: AnyCase, baseUrl: string): string {
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

export const codeSamplesOf = (named: NamedRoute, baseUrl: string): Json => {
  const example = mainCase(named)
  if (!example) return {}
  const published = nylasSample(named, example, baseUrl)
  return {
    'x-codeSamples': [
      { lang: 'Shell', label: 'curl', source: curlSample(named, example, baseUrl) },
      { lang: 'TypeScript', label: 'Waypost SDK', source: sdkSample(named, example, baseUrl) },
      ...(published === undefined ? [] : [{ lang: 'TypeScript', label: 'Nylas SDK', source: published }]),
    ],
  }
}
