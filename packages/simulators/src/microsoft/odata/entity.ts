// The properties of a resource type, for `$select`, `$expand` and `$filter`.
import type { JsonObject } from '../../shared/http.ts'
import { badRequest } from '../errors.ts'
import type { Expansion } from './query.ts'

export interface EntityType {
  /** Such as `message`. */
  readonly name: string
  /** All properties that `$select` may name. */
  readonly properties: readonly string[]
  /** Properties returned only with `$select`. */
  readonly bySelect?: readonly string[]
  /** Properties returned only with `$expand`. */
  readonly navigations?: readonly string[]
}

/** Reduces a resource to the selected properties; annotations and `id` are always included. */
export function project(type: EntityType, json: JsonObject, select: readonly string[] | undefined): JsonObject {
  const retained: JsonObject = {}
  for (const [name, value] of Object.entries(json)) {
    if (value === undefined) continue
    const isWanted = select === undefined ? type.bySelect?.includes(name) !== true : select.includes(name)
    if (isWanted || name === 'id' || name.startsWith('@')) retained[name] = value
  }
  return retained
}

export function checkSelect(type: EntityType, select: readonly string[] | undefined): void {
  const unknown = select?.find((name) => name !== '*' && !type.properties.includes(name))
  if (unknown !== undefined) throw unknownProperty(type, unknown, 'Select and Expand')
}

export function checkExpand(type: EntityType, expand: readonly Expansion[]): void {
  const unknown = expand.find(({ name }) => type.navigations?.includes(name) !== true)
  if (unknown !== undefined) throw unknownProperty(type, unknown.name, 'Select and Expand')
}

export function unknownProperty(type: EntityType, name: string, what: string): Error {
  return badRequest(
    `Parsing OData ${what} failed: Could not find a property named '${name}' on type 'microsoft.graph.${type.name}'.`,
  )
}
