/**
 * Transfers a parsed JSON value from a worker thread in slices (`parsing/slices.ts`). Large lists and objects are
 * split, so that no slice takes long to unpack. Nothing here is recursive, because a hostile value can be arbitrarily
 * deep.
 */
import { type Slices, SliceWriter, unpackSlices } from '../parsing/slices.ts'

/** A complete value, or a container whose members follow one level deeper. */
type Piece = { depth: number; key: string } & ({ value: unknown } | { opens: 'list' | 'object' })

/** Maximum number of values in one response. */
const maxValues = 500_000
/** Maximum depth. No provider object is this deep, but a message can have some thousand nested parts. */
const maxLevels = 25_000
/** Maximum number of fields in an object. Lists may be longer. */
const maxFields = 10_000
/** A container with more values than this is split. */
const wholeValues = 1_000

/** The value exceeds a limit. */
export class JsonTooLarge extends Error {
  override readonly name = 'JsonTooLarge'
  readonly reason = 'limit'
}

/** Throws `JsonTooLarge`. */
export function flattenJson(root: unknown): Slices {
  if (countValues(root, maxValues) > maxValues) throw new JsonTooLarge(`it has more than ${maxValues} values`)
  const writer = new SliceWriter<Piece>()
  const left: { depth: number; key: string; value: unknown }[] = [{ depth: 0, key: '', value: root }]
  for (let next = left.pop(); next !== undefined; next = left.pop()) {
    const { depth, key, value } = next
    if (depth > maxLevels) throw new JsonTooLarge(`it has more than ${maxLevels} levels`)
    const count = countValues(value, wholeValues)
    if (count <= wholeValues || typeof value !== 'object' || value === null) {
      writer.add({ depth, key, value }, { characters: charactersIn(value), objects: count })
      continue
    }
    writer.add({ depth, key, opens: Array.isArray(value) ? 'list' : 'object' }, { characters: key.length, objects: 1 })
    const members = Object.entries(value)
    if (!Array.isArray(value) && members.length > maxFields) {
      throw new JsonTooLarge(`an object has more than ${maxFields} fields`)
    }
    // Reversed, because the stack returns the last one first.
    for (const [name, member] of members.reverse()) {
      left.push({ depth: depth + 1, key: name, value: member })
    }
  }
  return writer.slices()
}

export async function unflattenJson(slices: Slices): Promise<unknown> {
  const open: (unknown[] | Record<string, unknown>)[] = []
  let root: unknown
  await unpackSlices<Piece>(slices, ({ depth, key, ...piece }) => {
    const value = 'value' in piece ? piece.value : piece.opens === 'list' ? [] : {}
    if ('opens' in piece) open[depth] = value as unknown[] | Record<string, unknown>
    const holder = open[depth - 1]
    if (depth === 0) root = value
    else if (Array.isArray(holder)) holder.push(value)
    // `__proto__` would reach the prototype. No provider has such a field.
    else if (holder && key !== '__proto__') holder[key] = value
  })
  return root
}

/** The number of values in a value, including itself. It stops counting above `max`. */
function countValues(value: unknown, max: number): number {
  const left = [value]
  let count = 0
  while (left.length > 0) {
    const next = left.pop()
    count += 1
    if (count > max) return count
    if (typeof next !== 'object' || next === null) continue
    const members = Array.isArray(next) ? next : Object.values(next)
    if (count + members.length > max) return count + members.length
    for (const member of members) left.push(member)
  }
  return count
}

function charactersIn(value: unknown): number {
  const left = [value]
  let characters = 0
  while (left.length > 0) {
    const next = left.pop()
    if (typeof next === 'string') characters += next.length
    else if (typeof next === 'object' && next !== null) {
      for (const member of Array.isArray(next) ? next : Object.values(next)) left.push(member)
    }
  }
  return characters
}
