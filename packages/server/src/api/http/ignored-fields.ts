/**
 * Finds fields of a request that its schema does not have, at any depth. `x-ignored-fields` lists them by path,
 * without the indexes of items (`participants.nickname`).
 */
import { limitingFields, resembles } from '@waypost/contract'
import { invalidField } from '@waypost/platform/api-error'
import { z } from 'zod'

/** The fields that a schema accepts, with those below them; `any` accepts every field. */
export type Known = 'any' | KnownNames
interface KnownNames {
  fields: ReadonlyMap<string, Known>
  /** The fields below all other names; undefined if other names are ignored. */
  others?: Known
  items?: Known
  /** Those of the fields that limit something: a name that is almost one of them is refused, not ignored. */
  limits?: readonly string[]
}

/** Proxies accept a few kilobytes of headers. */
const max = { names: 20, ofName: 60, ofHeader: 1000 }

/** The fields that a schema accepts; computed once per route. */
export function knownOf(schema: z.core.$ZodType | undefined): Known {
  if (!schema) return { fields: new Map() }
  if (schema instanceof z.ZodObject) {
    const fields = new Map(Object.entries(schema.shape).map(([name, field]) => [name, knownOf(field)]))
    if (schema.def.catchall) return { fields, others: 'any' }
    const limits = [...fields.keys()].filter((name) => limitingFields.has(name))
    return limits.length > 0 ? { fields, limits } : { fields }
  }
  if (schema instanceof z.ZodArray) return listOf(knownOf(schema.element))
  if (schema instanceof z.ZodRecord) return recordOf(knownOf(schema.valueType))
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable || schema instanceof z.ZodDefault) {
    return knownOf(schema.unwrap())
  }
  // A transform before parsing may accept other names.
  if (schema instanceof z.ZodPipe && !(schema.in instanceof z.ZodTransform)) return knownOf(schema.in)
  return 'any'
}

// Nothing can be ignored where every field is accepted.
const listOf = (items: Known): Known => (items === 'any' ? 'any' : { fields: new Map(), items })
const recordOf = (others: Known): Known => (others === 'any' ? 'any' : { fields: new Map(), others })

/** The paths of fields that the schema does not have, each once, and at most as many as are listed. */
export function unknownFields(known: Known, value: unknown, below = ''): string[] {
  const found = new Set<string>()
  find(known, value, { below, found })
  return [...found]
}

function find(known: Known, value: unknown, at: { below: string; found: Set<string> }): void {
  if (known === 'any' || typeof value !== 'object' || value === null) return
  if (Array.isArray(value)) {
    if (known.items) for (const item of value) find(known.items, item, at)
    return
  }
  for (const name of Object.keys(value)) {
    // One more than the limit, so that the header can say that there are more.
    if (at.found.size > max.names) return
    const inside = known.fields.get(name) ?? known.others
    if (inside === undefined) {
      needNoLimit(known, name, at.below)
      at.found.add(pathOf(at.below, name))
    } else if (inside !== 'any') find(inside, Reflect.get(value, name), { ...at, below: pathOf(at.below, name) })
  }
}

/** Refuses a field that was probably meant to limit something. */
function needNoLimit({ limits = [] }: KnownNames, name: string, below: string): void {
  const meant = limits.find((limit) => resembles(name, limit))
  if (meant === undefined) return
  throw invalidField(
    pathOf(below, name).toWellFormed(),
    `is not a field. Did you mean ${meant}? It limits something, so it is not ignored`,
  )
}

const pathOf = (below: string, name: string): string => `${below}${below && '.'}${name.slice(0, max.ofName)}`

/** Adds names to the header of ignored fields; `...` stands for further names. */
export function tellIgnored(headers: Record<string, string>, names: readonly string[]): void {
  if (names.length === 0) return
  const reported = headers['x-ignored-fields']
  let list = reported ?? ''
  for (const [index, name] of names.entries()) {
    // Header values are ASCII; names come from the client.
    const next = encodeURIComponent(name.toWellFormed())
    if (index >= max.names || list.length + next.length > max.ofHeader) {
      list = list ? `${list}, ...` : '...'
      break
    }
    list = list ? `${list}, ${next}` : next
  }
  headers['x-ignored-fields'] = list
}

/** The same for settings, whose schema depends on the provider. */
export const tellIgnoredSettings = (headers: Record<string, string>, schema: z.ZodObject, settings: unknown): void =>
  tellIgnored(headers, unknownFields(knownOf(schema), settings, 'settings'))
