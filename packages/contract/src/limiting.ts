/**
 * Objects that limit what somebody may do, such as the rights of an API key. Requests otherwise ignore fields that they do
 * not have. Here a misspelled limit would mean no limit, so that every unknown field is refused, at every depth.
 */
import { z } from 'zod'

/** A strict object. Objects inside must be strict too, which is checked when the module is loaded. */
export function limitingObject<Shape extends z.core.$ZodLooseShape>(shape: Shape): z.ZodObject<Shape, z.core.$strict> {
  const object = z.strictObject(shape, {
    error: ({ code, keys }) => (code === 'unrecognized_keys' ? describeUnknown(shape, keys ?? []) : undefined),
  })
  const loose = objectsIn(object).find((each) => !isStrict(each))
  if (loose) throw new Error(`an object with ${Object.keys(loose.shape).join(', ')} is not strict, but limits somebody`)
  return object
}

function describeUnknown(shape: z.core.$ZodLooseShape, keys: readonly string[]): string {
  const names = Object.keys(shape)
  const [name = ''] = keys
  const meant = names.find((each) => resembles(name, each))
  const guess = meant === undefined ? '' : `Did you mean ${meant}? `
  const text = `"${name.slice(0, 60)}" is not a field here, and is not ignored. ${guess}The fields are ${names.join(', ')}`
  return text.toWellFormed()
}

/** Whether an object refuses fields that it does not have. */
export const isStrict = ({ def }: z.ZodObject): boolean => def.catchall instanceof z.ZodNever

/** The object schemas in a schema, at any depth, with itself. */
export function objectsIn(schema: z.core.$ZodType, seen = new Set<z.core.$ZodType>()): z.ZodObject[] {
  if (seen.has(schema)) return []
  seen.add(schema)
  const below = innerOf(schema).flatMap((each) => objectsIn(each, seen))
  return schema instanceof z.ZodObject ? [schema, ...below] : below
}

/** The schemas that a schema consists of. */
function innerOf(schema: z.core.$ZodType): readonly z.core.$ZodType[] {
  if (schema instanceof z.ZodObject) return Object.values(schema.shape)
  if (schema instanceof z.ZodArray) return [schema.element]
  if (schema instanceof z.ZodUnion) return schema.options
  if (schema instanceof z.ZodRecord) return [schema.valueType]
  if (schema instanceof z.ZodPipe) return [schema.in, schema.out]
  if (schema instanceof z.ZodLazy) return [schema.unwrap()]
  const isWrapper =
    schema instanceof z.ZodOptional ||
    schema instanceof z.ZodNullable ||
    schema instanceof z.ZodDefault ||
    schema instanceof z.ZodPrefault ||
    schema instanceof z.ZodReadonly
  return isWrapper ? [schema.unwrap()] : []
}

/**
 * Fields that limit something, in objects that must accept further fields, because clients of other services send them. A
 * field whose name is almost one of these is refused (`api/http/ignored-fields.ts`); others are still ignored.
 */
export const limitingFields: ReadonlySet<string> = new Set([
  ...['scope', 'scopes', 'time_to_live', 'requires_session_auth', 'embed_origins', 'hide_participants'],
  ...['notify_participants', 'dry_run', 'trigger_types'],
])

/** Fields of rights. An object that has one of them and is part of a request is made with `limitingObject`. */
export const rightsFields: ReadonlySet<string> = new Set([
  ...['rights', 'role', 'permissions', 'operations', 'recipients', 'messages_per_hour', 'networks', 'approval'],
  ...['applications', 'blocked', 'mail_per_day', 'second_factor_required_for', 'expires_in'],
])

/** The longest name that is compared letter by letter. */
const maxCompared = 40

/** Whether one name is probably a misspelling of another: case, separators and plural aside, at most two letters differ. */
export function resembles(name: string, other: string): boolean {
  if (name.length > maxCompared) return false
  const [a, b] = [plain(name), plain(other)]
  return a === b || distance(a, b) <= (Math.min(a.length, b.length) > 4 ? 2 : 1)
}

const plain = (name: string): string =>
  name
    .toLowerCase()
    .replace(/[^a-z0-9]/g, '')
    .replace(/s$/, '')

/** Letters to add, remove or replace (Levenshtein). */
function distance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index)
  for (const [i, letter] of [...a].entries()) {
    const next = [i + 1]
    for (let j = 1; j <= b.length; j++) {
      const replaced = (row[j - 1] ?? 0) + (letter === b[j - 1] ? 0 : 1)
      next.push(Math.min((row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1, replaced))
    }
    row = next
  }
  return row[b.length] ?? 0
}
