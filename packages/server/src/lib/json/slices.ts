/**
 * A JSON value on its way from the thread that parsed it, in slices (`slices.ts`). A large list or object is taken apart, so
 * that no piece takes long to unpack. Nothing here is recursive: a value may be as deep as its author likes.
 */
import { type Slices, SliceWriter, unpackSlices } from '../parsing/slices.ts'

/** A value that is whole, or a container whose members follow one level deeper. */
type Piece = { depth: number; key: string } & ({ value: unknown } | { opens: 'list' | 'object' })

/** More values than this are not read in one answer. */
const mostValues = 500_000
/** No object of a provider is as deep; a message may have some thousand parts in each other. */
const mostLevels = 25_000
/** No object of a provider has more fields; lists may be longer. */
const mostFields = 10_000
/** A container with more values than this is taken apart. */
const wholeValues = 1_000

/** More than may be read. */
export class JsonTooLarge extends Error {
  override readonly name = 'JsonTooLarge'
  readonly reason = 'limit'
}

/** Throws `JsonTooLarge`. */
export function flattenJson(root: unknown): Slices {
  if (countValues(root, mostValues) > mostValues) throw new JsonTooLarge(`it has more than ${mostValues} values`)
  const writer = new SliceWriter<Piece>()
  const left: { depth: number; key: string; value: unknown }[] = [{ depth: 0, key: '', value: root }]
  for (let next = left.pop(); next !== undefined; next = left.pop()) {
    const { depth, key, value } = next
    if (depth > mostLevels) throw new JsonTooLarge(`it has more than ${mostLevels} levels`)
    const count = countValues(value, wholeValues)
    if (count <= wholeValues || typeof value !== 'object' || value === null) {
      writer.add({ depth, key, value }, { characters: charactersIn(value), objects: count })
      continue
    }
    writer.add({ depth, key, opens: Array.isArray(value) ? 'list' : 'object' }, { characters: key.length, objects: 1 })
    const members = Object.entries(value)
    if (!Array.isArray(value) && members.length > mostFields) {
      throw new JsonTooLarge(`an object has more than ${mostFields} fields`)
    }
    // The last is taken first.
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
    // As a name it would reach the prototype; no provider has such a field.
    else if (holder && key !== '__proto__') holder[key] = value
  })
  return root
}

/** The values in a value, itself included; once there are more than `most`, it does not go on. */
function countValues(value: unknown, most: number): number {
  const left = [value]
  let count = 0
  while (left.length > 0) {
    const next = left.pop()
    count += 1
    if (count > most) return count
    if (typeof next !== 'object' || next === null) continue
    const members = Array.isArray(next) ? next : Object.values(next)
    if (count + members.length > most) return count + members.length
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
