/** The schemas of the contract under their type names in the SDK, as JSON Schema. */
import { z } from 'zod'
import * as module from '../../packages/contract/src/index.ts'
import { type Contract, type NamedRoute, routesOf } from '../../packages/contract/src/index.ts'
import { type JsonSchema, referencesIn } from './json-schema.ts'

export type Io = 'input' | 'output'

const pascal = (name: string): string => `${name.charAt(0).toUpperCase()}${name.slice(1)}`
/** The prefix of an operation's type names: `EventsList`. */
export const typePrefix = ({ resource, operation }: NamedRoute): string => pascal(resource) + pascal(operation)

const isSchema = (value: unknown): value is z.ZodType => value instanceof z.ZodType

/** A text or number with rules gets no type of its own; an enumeration does. */
const isPlain = (schema: z.ZodType): boolean => {
  const { type, enum: values } = z.toJSONSchema(schema, { unrepresentable: 'any' })
  return values === undefined && ['string', 'number', 'integer', 'boolean'].includes(String(type))
}

/** Unnamed schemas of a route are named after the route. */
function* routeSchemas(named: NamedRoute): Generator<[schema: z.ZodType, name: string]> {
  const { query, headers, body, returns } = named.route
  const prefix = typePrefix(named)
  if (query) yield [query, `${prefix}Query`]
  if (headers) yield [headers, `${prefix}Headers`]
  if (body) yield [body, `${prefix}Body`]
  if (returns && returns.type !== 'literal') yield [returns, `${prefix}Data`]
}

/** Every schema that gets a type, with its name: exported schemas first, then those of routes. */
export function namedSchemas(contract: Contract): Map<z.ZodType, string> {
  const names = new Map<z.ZodType, string>()
  for (const [name, value] of Object.entries(module)) {
    if (isSchema(value) && /^[A-Z]/.test(name) && !isPlain(value)) names.set(value, name)
  }
  for (const named of routesOf(contract)) {
    for (const [schema, name] of routeSchemas(named)) {
      if (!names.has(schema)) names.set(schema, z.globalRegistry.get(schema)?.id ?? name)
    }
  }
  const seen = new Set<string>()
  for (const name of names.values()) {
    if (seen.has(name)) throw new Error(`two schemas of the contract would have the type ${name}`)
    seen.add(name)
  }
  return names
}

/** All schemas in one form, by name. */
export function jsonSchemas(names: ReadonlyMap<z.ZodType, string>, io: Io): Record<string, JsonSchema> {
  const registry = z.registry<{ id: string }>()
  for (const [schema, id] of names) registry.add(schema, { id })
  const { schemas } = z.toJSONSchema(registry, {
    io,
    uri: (id) => id,
    unrepresentable: 'any',
    override: ({ zodSchema, jsonSchema }) => {
      if (io !== 'input' || !(zodSchema instanceof z.ZodObject) || jsonSchema.required === undefined) return
      // A field that accepts an absent value, for example because it has a default, is optional.
      const isNeeded = (name: string): boolean => !zodSchema.shape[name]?.safeParse(undefined).success
      jsonSchema.required = jsonSchema.required.filter(isNeeded)
    },
  })
  const { __shared, ...named } = schemas as Record<string, JsonSchema & { $defs?: Record<string, JsonSchema> }>
  // Schemas that have an id but are not exported are in a separate list, and use their id as name too.
  return JSON.parse(JSON.stringify({ ...named, ...__shared?.$defs }).replaceAll('"__shared#/$defs/', '"'))
}

/** The names, and everything they reference. */
export function reachable(schemas: Record<string, JsonSchema>, names: Iterable<string>): Set<string> {
  const found = new Set<string>()
  const visit = (name: string): void => {
    if (found.has(name)) return
    found.add(name)
    for (const reference of referencesIn(schemas[name])) visit(reference)
  }
  for (const name of names) visit(name)
  return found
}
