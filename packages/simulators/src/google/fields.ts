// Partial responses: `fields=kind,items(id,start/dateTime),etag` selects these properties.
// https://developers.google.com/workspace/calendar/api/guides/performance#partial-response

import { isObject, type JsonObject } from '../shared/http.ts'
import { invalidArgument } from './errors.ts'

/** Undefined selects everything below. */
type Mask = Map<string, Mask | undefined>

/** Reduces the response to the properties that `fields` names. */
export function projectFields(value: unknown, fields: string): unknown {
  return keep(value, parseMask(fields))
}

function keep(value: unknown, mask: Mask | undefined): unknown {
  if (mask === undefined) return value
  if (Array.isArray(value)) return value.map((item) => keep(item, mask))
  if (!isObject(value)) return value
  const retained: JsonObject = {}
  for (const [name, item] of Object.entries(value)) {
    if (mask.has(name)) retained[name] = keep(item, mask.get(name))
    else if (mask.has('*')) retained[name] = keep(item, mask.get('*'))
  }
  return retained
}

function parseMask(fields: string): Mask {
  const tokens = fields.match(/[^,()/\s]+|[,()/]/g) ?? []
  let at = 0
  const mask = list()
  if (at < tokens.length) throw invalidField(fields)
  return mask

  function list(): Mask {
    const entries: Mask = new Map()
    for (;;) {
      entry(entries)
      if (tokens[at] !== ',') return entries
      at++
    }
  }

  function entry(entries: Mask): void {
    const name = tokens[at]
    if (name === undefined || /^[,()/]$/.test(name)) throw invalidField(fields)
    at++
    const below = inside()
    const before = entries.get(name)
    if (!entries.has(name)) entries.set(name, below)
    else if (before !== undefined && below !== undefined) merge(before, below)
    else entries.set(name, undefined)
  }

  function inside(): Mask | undefined {
    if (tokens[at] === '/') {
      at++
      const entries: Mask = new Map()
      entry(entries)
      return entries
    }
    if (tokens[at] !== '(') return undefined
    at++
    const entries = list()
    if (tokens[at] !== ')') throw invalidField(fields)
    at++
    return entries
  }
}

function merge(into: Mask, from: Mask): void {
  for (const [name, below] of from) {
    const before = into.get(name)
    if (!into.has(name)) into.set(name, below)
    else if (before !== undefined && below !== undefined) merge(before, below)
    else into.set(name, undefined)
  }
}

function invalidField(fields: string): Error {
  return invalidArgument(`Invalid field selection ${fields}`)
}
