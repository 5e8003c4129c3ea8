// The system query options of a request: `$select`, `$top`, `$skip`, `$filter`, `$orderby`, `$search`, `$expand`, `$count`.
// https://learn.microsoft.com/graph/query-parameters
import { badRequest } from '../errors.ts'
import { type FilterNode, parseFilter } from './filter.ts'

export interface Expansion {
  readonly name: string
  readonly select: readonly string[] | undefined
  readonly filter: string | undefined
}

export interface Ordering {
  readonly path: string
  readonly descending: boolean
}

export interface ODataQuery {
  readonly select: readonly string[] | undefined
  readonly expand: readonly Expansion[]
  readonly filter: FilterNode | undefined
  readonly orderBy: readonly Ordering[]
  /** Without its quotes. */
  readonly search: string | undefined
  readonly top: number | undefined
  readonly skip: number
  readonly count: boolean
}

const known = [
  '$select',
  '$expand',
  '$filter',
  '$orderby',
  '$search',
  '$top',
  '$skip',
  '$count',
  '$skiptoken',
  '$deltatoken',
  '$format',
]

/** Finds an option by name; as at Graph, `$` is optional and case is ignored. */
export function optionOf(query: URLSearchParams, name: string): string | undefined {
  for (const [key, value] of query) {
    const lower = key.toLowerCase()
    if (lower === name || `$${lower}` === name) return value
  }
  return undefined
}

export function readQuery(query: URLSearchParams): ODataQuery {
  for (const key of query.keys()) {
    if (key.startsWith('$') && !known.includes(key.toLowerCase())) {
      throw badRequest(`The query parameter '${key}' is not supported.`)
    }
  }
  const filter = optionOf(query, '$filter')
  return {
    select: listOf(optionOf(query, '$select')),
    expand: expansionsOf(optionOf(query, '$expand')),
    filter: filter === undefined ? undefined : parseFilter(filter),
    orderBy: orderingsOf(optionOf(query, '$orderby')),
    search: unquoted(optionOf(query, '$search')),
    top: integerOf(query, '$top'),
    skip: integerOf(query, '$skip') ?? 0,
    count: optionOf(query, '$count')?.toLowerCase() === 'true',
  }
}

function listOf(text: string | undefined): string[] | undefined {
  const names = text
    ?.split(',')
    .map((name) => name.trim())
    .filter(Boolean)
  return names === undefined || names.length === 0 || names.includes('*') ? undefined : names
}

function integerOf(query: URLSearchParams, name: string): number | undefined {
  const text = optionOf(query, name)
  if (text === undefined) return undefined
  if (/^\d{1,9}$/.test(text)) return Number(text)
  throw badRequest(
    `Invalid value '${text}' for ${name} query option found. The ${name} query option requires a non-negative integer value.`,
  )
}

function orderingsOf(text: string | undefined): Ordering[] {
  if (text === undefined || text.trim() === '') return []
  return text.split(',').map((item) => {
    const [, path, direction = 'asc'] = /^\s*([\w/]+)(?:\s+(asc|desc))?\s*$/i.exec(item) ?? []
    if (path === undefined) throw badRequest(`Syntax error at position 0 in '${text}'.`)
    return { path, descending: direction.toLowerCase() === 'desc' }
  })
}

/** `attachments($select=id,name),instances` */
function expansionsOf(text: string | undefined): Expansion[] {
  if (text === undefined) return []
  const found: Expansion[] = []
  for (const [, name = '', inner = ''] of text.matchAll(/([\w/.]+)\s*(?:\(((?:[^()]|\([^()]*\))*)\))?/g)) {
    const options = new URLSearchParams(inner.replaceAll(';', '&').replaceAll('+', '%2B'))
    found.push({ name, select: listOf(optionOf(options, '$select')), filter: optionOf(options, '$filter') })
  }
  return found
}

function unquoted(text: string | undefined): string | undefined {
  if (text === undefined) return undefined
  const inner = /^\s*"([\s\S]*)"\s*$/.exec(text)?.[1]
  return (inner ?? text).replaceAll('\\"', '"').replaceAll('\\\\', '\\')
}
