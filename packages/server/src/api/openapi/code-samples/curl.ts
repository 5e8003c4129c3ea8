/** A request as a shell command. */
import type { NamedRoute } from '@waypost/contract'
import type { AnyCase } from '@waypost/contract/examples'

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

/** The command for an example. */
export function curlSample(named: NamedRoute, example: AnyCase, baseUrl: string): string {
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
