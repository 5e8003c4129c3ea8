// Functions that tests run in a thread of the parse pool.

export const double = (value: number): number => value * 2
export const lengthOf = (bytes: Uint8Array): number => bytes.length
export const memoryOf = (bytes: Uint8Array): number => bytes.buffer.byteLength
export const echo = (value: unknown): unknown => value
export const environmentOf = (name: string): string | undefined => process.env[name]
export const functionOf = (value: number): unknown => (value === 1 ? () => value : value)
export const notAFunction = 'text'

let calls = 0
/** The number of calls in this thread. */
export const callsOfThread = (): number => ++calls

class Limit extends Error {
  readonly reason = 'limit'
}

/** Follows the order. */
export function obey(order: string): string {
  switch (order) {
    case 'loop':
      for (;;);
    case 'throw':
      throw new Error('as told')
    case 'throw a text':
      throw 'as told'
    case 'limit':
      throw new Limit('too much')
    case 'memory': {
      // Large pieces without pointers: the collector finds nothing to free, and does not have to search long.
      const held: number[][] = []
      for (;;) held.push(new Array(500_000).fill(held.length + 0.5))
    }
    case 'stack':
      return obey(order)
    case 'exit':
      process.exit(3)
  }
  return order
}

/** Takes a while, and counts its calls in shared memory. */
export function count({ counter, milliseconds }: { counter: SharedArrayBuffer; milliseconds: number }): number {
  const slots = new Int32Array(counter)
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, milliseconds)
  return Atomics.add(slots, 0, 1)
}

/** Lasts until the gate is opened. */
export function waitAt(gate: SharedArrayBuffer): string {
  Atomics.wait(new Int32Array(gate), 0, 0)
  return 'done'
}

/** Takes the given time, for any input. */
export function take({ milliseconds }: { milliseconds: number; bytes: Uint8Array }): string {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, milliseconds)
  return 'done'
}
