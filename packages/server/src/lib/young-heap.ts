/**
 * The young part of V8's heap grows by what many requests or connections need at once, to some twenty megabytes, and V8
 * looks whether it needs them still only when they are full: in a process that has come to rest that is minutes later. Who
 * has come to rest asks for a collection of that part, which takes a few milliseconds and makes it small again. The first
 * one after much work still takes the past for the present and leaves it as it is.
 */
import { type EventLoopUtilization, performance } from 'node:perf_hooks'
import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

/** What is known of the process, and what a test puts in its place. */
export interface HeapProcess {
  /** The part of the time since the last call in which the event loop had work. */
  busy(): number
  /** Bytes that the young part of the heap holds. */
  young(): number
  /** Collects the young part. */
  collect(): void
}

const lookMs = 4_000
/** With more to do than this a process is not at rest. */
const restingPart = 0.05
/** What is smaller is not worth a collection. */
const leastBytes = 4 * 1024 * 1024
/** Where so many did not make it smaller, none does until there was work again. */
const maxCollections = 3

/** One look: collects where the process is at rest. Answers how many collections it has had since there was work. */
export function lookAtYoungHeap(heap: HeapProcess, collections: number): number {
  if (heap.busy() >= restingPart) return 0
  if (collections >= maxCollections || heap.young() < leastBytes) return collections
  heap.collect()
  return collections + 1
}

function thisProcess(): HeapProcess | undefined {
  // Without the flag of a start there is no other way to ask for it.
  setFlagsFromString('--expose-gc')
  const gc: unknown = runInNewContext('globalThis.gc')
  setFlagsFromString('--no-expose-gc')
  if (typeof gc !== 'function') return undefined
  let last: EventLoopUtilization = performance.eventLoopUtilization()
  return {
    busy() {
      const now = performance.eventLoopUtilization()
      const { utilization } = performance.eventLoopUtilization(now, last)
      last = now
      return utilization
    },
    young: () =>
      getHeapSpaceStatistics().find(({ space_name: name }) => name === 'new_space')?.physical_space_size ?? 0,
    collect: () => void gc({ type: 'minor' }),
  }
}

/** Looks now and then, as long as the process lives. */
export function giveBackYoungHeap(): void {
  const heap = thisProcess()
  if (!heap) return
  let collections = 0
  const look = (): void => {
    collections = lookAtYoungHeap(heap, collections)
  }
  setInterval(look, lookMs).unref()
}
