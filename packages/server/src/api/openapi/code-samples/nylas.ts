/** A request with the client that Nylas publishes for Node, which works with this service too. */
import type { NamedRoute } from '@waypost/contract'
import { type AnyCase, bodyFields } from '@waypost/contract/examples'
import { Expression, literal } from './literal.ts'
import { type Call, calls } from './nylas-calls.ts'

const camelCase = (name: string): string => name.replace(/_+([a-z0-9])/g, (_, letter: string) => letter.toUpperCase())

/** Keys in camel case, as the client writes them, except those of metadata. */
function inCamelCase(value: unknown): unknown {
  if (value instanceof Expression) return value
  if (Array.isArray(value)) return value.map(inCamelCase)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, field]) => [camelCase(key), key === 'metadata' ? field : inCamelCase(field)]),
  )
}

/** The client writes a filter pair as a record. */
function queryOf(query: Readonly<Record<string, unknown>>): unknown {
  const { metadata_pair, ...fields } = query
  if (typeof metadata_pair !== 'string') return inCamelCase(fields)
  const colon = metadata_pair.indexOf(':')
  const pair = { [metadata_pair.slice(0, colon)]: metadata_pair.slice(colon + 1) }
  return { ...(inCamelCase(fields) as object), metadataPair: pair }
}

/** Path parameters that the client names in its own way. */
const usualNames: Readonly<Record<string, string>> = { grant_id: 'identifier' }

function argumentsOf(call: Call, example: AnyCase): unknown {
  const { params = {}, query = {}, body } = example
  const fields = bodyFields(example)
  if (call.only) return fields?.[call.only] ?? query[call.only]
  if (call.fields)
    return inCamelCase(Object.fromEntries(call.fields.map((name) => [name, fields?.[name] ?? query[name]])))
  const renamed = Object.entries(params).map(([name, value]) => [
    call.params?.[name] ?? usualNames[name] ?? camelCase(name),
    value,
  ])
  const requested = call.query === 'always' || (call.query === 'taken' && Object.keys(query).length > 0)
  return {
    ...Object.fromEntries(renamed),
    ...(requested ? { queryParams: queryOf(query) } : {}),
    ...(body ? { requestBody: inCamelCase(body) } : {}),
  }
}

/** The program for an example; undefined if the client has no such method. */
export function nylasSample(named: NamedRoute, example: AnyCase, baseUrl: string): string | undefined {
  const call = calls[named.id]
  if (!call) return undefined
  const given = argumentsOf(call, call.change?.(example) ?? example)
  const isEmpty = typeof given === 'object' && given !== null && Object.keys(given).length === 0
  const key = new Expression("process.env.WAYPOST_API_KEY ?? ''")
  const gives = call.gives ?? (named.route.method === 'DELETE' ? '' : '{ data }')
  const result = gives === '' ? '' : `const ${gives} = `
  return [
    `import Nylas${call.imports ? `, { ${call.imports.join(', ')} }` : ''} from 'nylas'`,
    '',
    `const nylas = new Nylas(${literal({ apiUri: baseUrl, apiKey: key })})`,
    `${result}await nylas.${call.method}(${isEmpty ? '' : literal(given)})`,
  ].join('\n')
}
