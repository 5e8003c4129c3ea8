/**
 * Which fields of a request nobody reads: those that its schema does not know, at any depth. They are named in
 * `x-ignored-fields` by their path, without the places of items (`participants.nickname`).
 */
import { z } from 'zod'

/** What a schema knows of a value: the names of objects, with what is below them; `any` is read or refused whole. */
export type Known = 'any' | KnownNames
interface KnownNames {
  fields: ReadonlyMap<string, Known>
  /** What all other names have below them: where it is absent, nobody reads them. */
  others?: Known
  items?: Known
}

/** Proxies take a few kilobytes of headers. */
const most = { names: 20, ofName: 60, ofHeader: 1000 }

/** What a schema knows. It is asked once for a route: requests are compared with the answer. */
export function knownOf(schema: z.core.$ZodType | undefined): Known {
  if (!schema) return { fields: new Map() }
  if (schema instanceof z.ZodObject) {
    const fields = new Map(Object.entries(schema.shape).map(([name, field]) => [name, knownOf(field)]))
    return schema.def.catchall ? { fields, others: 'any' } : { fields }
  }
  if (schema instanceof z.ZodArray) return listOf(knownOf(schema.element))
  if (schema instanceof z.ZodRecord) return recordOf(knownOf(schema.valueType))
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable || schema instanceof z.ZodDefault) {
    return knownOf(schema.unwrap())
  }
  // What a function makes of a value before it is parsed has perhaps other names.
  if (schema instanceof z.ZodPipe && !(schema.in instanceof z.ZodTransform)) return knownOf(schema.in)
  return 'any'
}

// Nothing is to be found where all is known.
const listOf = (items: Known): Known => (items === 'any' ? 'any' : { fields: new Map(), items })
const recordOf = (others: Known): Known => (others === 'any' ? 'any' : { fields: new Map(), others })

/** The paths of what a schema does not know, each once, and no more than are told. */
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
    // One more than are told, so that the answer can say that there are more.
    if (at.found.size > most.names) return
    const inside = known.fields.get(name) ?? known.others
    if (inside === undefined) at.found.add(pathOf(at.below, name))
    else if (inside !== 'any') find(inside, Reflect.get(value, name), { ...at, below: pathOf(at.below, name) })
  }
}

const pathOf = (below: string, name: string): string => `${below}${below && '.'}${name.slice(0, most.ofName)}`

/** Adds names to the header that tells of ignored fields; `...` stands for those that are too many. */
export function tellIgnored(headers: Record<string, string>, names: readonly string[]): void {
  if (names.length === 0) return
  const told = headers['x-ignored-fields']
  let list = told ?? ''
  for (const [index, name] of names.entries()) {
    // Header values are ASCII, and names come from the client.
    const next = encodeURIComponent(name.toWellFormed())
    if (index >= most.names || list.length + next.length > most.ofHeader) {
      list = list ? `${list}, ...` : '...'
      break
    }
    list = list ? `${list}, ${next}` : next
  }
  headers['x-ignored-fields'] = list
}

/** The same for settings, which each kind of provider has of its own. */
export const tellIgnoredSettings = (headers: Record<string, string>, schema: z.ZodObject, settings: unknown): void =>
  tellIgnored(headers, unknownFields(knownOf(schema), settings, 'settings'))
