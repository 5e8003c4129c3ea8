/** Messages between the parse pool and its threads. */

/** Slots in the memory that a thread shares with the pool. */
export const PROGRESS = {
  /** Index of the current input in the batch, or IDLE. */
  input: 0,
  /** The batch whose caller no longer waits. */
  abandoned: 1,
  slots: 2,
} as const
export const IDLE = -1

export interface ThreadData {
  /** The address of the module whose exported functions are run. */
  readonly module: string
  readonly progress: SharedArrayBuffer
}

export interface Batch {
  readonly id: number
  readonly kind: string
  readonly inputs: readonly unknown[]
}

/** A result, or the reason for a failure. */
export type ParseOutcome<O> =
  | { ok: true; value: O }
  | { ok: false; reason: 'limit' | 'deadline' | 'crashed' | 'broken'; message: string }

/** Outcomes of the inputs of a batch from `first` on. */
export interface Report {
  readonly id: number
  readonly first: number
  readonly outcomes: readonly ParseOutcome<unknown>[]
  readonly isLast: boolean
}

/** Values that can be transferred to a thread, and the memory transferred with them. */
export interface Parcel {
  readonly inputs: readonly unknown[]
  readonly memory: ArrayBuffer
}

/** How deep inputs are searched for bytes: those of a list in a field are at depth three. */
const DEPTH = 3

/**
 * Copies all bytes of the inputs into one buffer that is transferred. The originals stay intact for a second attempt,
 * and a slice of a large buffer does not drag the rest of it along.
 */
export function pack(inputs: readonly unknown[]): Parcel {
  const memory = new ArrayBuffer(inputs.reduce<number>((sum, input) => sum + bytesIn(input, DEPTH), 0))
  let offset = 0
  const place = (bytes: Uint8Array): Uint8Array => {
    const copy = new Uint8Array(memory, offset, bytes.byteLength)
    copy.set(bytes)
    offset += bytes.byteLength
    return copy
  }
  return { inputs: inputs.map((input) => replaceBytes(input, { place, depth: DEPTH })), memory }
}

/** Lists and plain records. Other objects are transferred as they are. */
const isRecord = (value: unknown): value is Record<string, unknown> => {
  if (typeof value !== 'object' || value === null) return false
  const prototype = Object.getPrototypeOf(value)
  return prototype === Object.prototype || prototype === Array.prototype || prototype === null
}

function bytesIn(value: unknown, depth: number): number {
  if (value instanceof Uint8Array) return value.byteLength
  if (depth === 0 || !isRecord(value)) return 0
  let sum = 0
  for (const each of Array.isArray(value) ? value : Object.values(value)) sum += bytesIn(each, depth - 1)
  return sum
}

/** Below this size, copying is faster than transferring. */
const handedOver = 64 * 1024

/** The buffers of results that are transferred rather than copied: large ones that fill their memory completely. */
export function memoryOf(outcomes: readonly ParseOutcome<unknown>[]): ArrayBuffer[] {
  const found = new Set<ArrayBuffer>()
  const poll = (value: unknown, depth: number): void => {
    if (value instanceof Uint8Array) {
      const { buffer, byteLength } = value
      if (byteLength >= handedOver && byteLength === buffer.byteLength && buffer instanceof ArrayBuffer)
        found.add(buffer)
    } else if (depth > 0 && isRecord(value)) {
      for (const each of Array.isArray(value) ? value : Object.values(value)) poll(each, depth - 1)
    }
  }
  for (const outcome of outcomes) if (outcome.ok) poll(outcome.value, DEPTH)
  return [...found]
}

function replaceBytes(
  value: unknown,
  { place, depth }: { place: (bytes: Uint8Array) => Uint8Array; depth: number },
): unknown {
  if (value instanceof Uint8Array) return place(value)
  if (depth === 0 || !isRecord(value)) return value
  const inner = { place, depth: depth - 1 }
  if (Array.isArray(value)) return value.map((each) => replaceBytes(each, inner))
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, replaceBytes(each, inner)]))
}
