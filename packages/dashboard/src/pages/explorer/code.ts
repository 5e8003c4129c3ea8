/** A request as a curl command, a call of our SDK, and a call of the published Node client. Pure functions. */
import { emptyBody, type Operation } from './operations.ts'
import type { Filled, Request } from './request.ts'

const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`

export function curlOf({ method, url, body, files, part }: Request): string {
  const parts = [
    `curl${method === 'GET' ? '' : ` -X ${method}`} ${quoted(url)}`,
    '-H "Authorization: Bearer $WAYPOST_API_KEY"',
  ]
  if (files.length > 0 && part !== undefined) {
    parts.push(`-F ${quoted(`${part}=${body ?? '{}'};type=application/json`)}`)
    for (const [index, { name }] of files.entries()) parts.push(`-F ${quoted(`file${index}=@${name}`)}`)
  } else if (body !== undefined) {
    parts.push("-H 'Content-Type: application/json'", `-d ${quoted(body)}`)
  }
  return parts.join(' \\\n  ')
}

interface CodeInput {
  filled: Filled
  files: readonly { name: string }[]
}

const isName = /^[A-Za-z_$][\w$]*$/
const textLiteral = (text: string): string =>
  `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'").replaceAll('\n', '\\n').replaceAll('\r', '\\r')}'`

/** A value as a JavaScript literal, on one line if it is short. */
export function literal(value: unknown, indent = ''): string {
  if (typeof value === 'string') return textLiteral(value)
  if (typeof value !== 'object' || value === null) return String(JSON.stringify(value))
  const inner = `${indent}  `
  const isList = Array.isArray(value)
  const items = isList
    ? value.map((each) => literal(each, inner))
    : Object.entries(value)
        .filter(([, each]) => each !== undefined)
        .map(([name, each]) => `${isName.test(name) ? name : textLiteral(name)}: ${literal(each, inner)}`)
  const [open, close] = isList ? ['[', ']'] : ['{', '}']
  if (items.length === 0) return `${open}${close}`
  const blank = isList ? '' : ' '
  const line = `${open}${blank}${items.join(', ')}${blank}${close}`
  if (line.length < 70 && !line.includes('\n')) return line
  return `${open}\n${items.map((item) => `${inner}${item},`).join('\n')}\n${indent}${close}`
}

/** Converts query values to the types in their schemas. */
function queryOf({ parameters }: Operation, { query }: Filled): Record<string, unknown> | undefined {
  const given = parameters.flatMap(({ name, schema, in: place }): [string, unknown][] => {
    const text = place === 'query' ? (query[name] ?? '').trim() : ''
    if (text === '') return []
    const kind = schema?.type
    if (kind === 'integer' || kind === 'number') return [[name, Number(text)]]
    if (kind === 'boolean') return [[name, text === 'true']]
    return [[name, kind === 'array' ? text.split(/[\n,]/).map((each) => each.trim()) : text]]
  })
  return given.length === 0 ? undefined : Object.fromEntries(given)
}

const pathOf = ({ parameters }: Operation, { path }: Filled): [string, string][] =>
  parameters.filter((each) => each.in === 'path').map(({ name }) => [name, path[name] ?? ''])

export function sdkOf(base: string, operation: Operation, { filled, files }: CodeInput): string {
  const args = {
    ...Object.fromEntries(pathOf(operation, filled)),
    query: queryOf(operation, filled),
    ...(operation.body ? { body: filled.body ?? emptyBody(operation) } : {}),
  }
  const call = literal(args) === '{}' ? '' : literal(args)
  const withFiles = files.length > 0 ? '\n// Files: see `files` of this call in the README of the SDK.' : ''
  return [
    "import { createWaypost } from '@waypost/sdk'",
    '',
    `const waypost = createWaypost({ baseUrl: ${textLiteral(base)}, apiKey: process.env.WAYPOST_API_KEY })${withFiles}`,
    `const { data } = await waypost.${operation.id}(${call})`,
  ].join('\n')
}

const camel = (name: string): string => name.replaceAll(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase())

/** Converts names to the camel case of the published client; keys chosen by the application stay unchanged. */
function camelled(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(camelled)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => [camel(name), name === 'metadata' ? each : camelled(each)]),
  )
}

/**
 * The same request with the published client, if it has a method for it. The code sample in the OpenAPI document
 * names the method and its id parameters.
 */
export function nylasOf(base: string, operation: Operation, { filled }: CodeInput): string | undefined {
  const method = /await nylas\.([\w.]+)\(/.exec(operation.nylas ?? '')?.[1]
  if (method === undefined) return undefined
  const names = [...(operation.nylas ?? '').matchAll(/^ {2}(\w+): '/gm)].map(([, name = '']) => name)
  const ids = pathOf(operation, filled).map(([, value], index) => [names[index] ?? `id${index}`, value])
  const query = queryOf(operation, filled)
  const args = {
    ...Object.fromEntries(ids),
    ...(query ? { queryParams: camelled(query) } : {}),
    ...(operation.body ? { requestBody: camelled(filled.body ?? emptyBody(operation)) } : {}),
  }
  const call = literal(args) === '{}' ? '' : literal(args)
  return [
    "import Nylas from 'nylas'",
    '',
    `const nylas = new Nylas({ apiUri: ${textLiteral(base)}, apiKey: process.env.WAYPOST_API_KEY ?? '' })`,
    `const { data } = await nylas.${method}(${call})`,
  ].join('\n')
}
