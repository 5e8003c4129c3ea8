/**
 * The inside of a thread of the parse pool: runs the exported functions of one module over batches of inputs. It
 * publishes the current input in shared memory, so that the pool can see it even if a function never returns.
 */
import { type MessagePort, parentPort, workerData } from 'node:worker_threads'
import { type Batch, IDLE, memoryOf, type ParseOutcome, PROGRESS, type Report, type ThreadData } from './protocol.ts'

/** Outcomes are sent in groups of this size, or after this many milliseconds. */
const GROUP = 32
const GROUP_MS = 5

type Parse = (input: unknown) => unknown

async function serve(port: MessagePort, { module, progress }: ThreadData): Promise<void> {
  const slots = new Int32Array(progress)
  const parses: Record<string, unknown> = await import(module)
  port.on('message', (batch: Batch) => runBatch(port, slots, batch, parseOf(parses, batch.kind)))
}

function parseOf(parses: Record<string, unknown>, kind: string): Parse {
  const found = Object.hasOwn(parses, kind) ? parses[kind] : undefined
  if (typeof found === 'function') return (input) => found(input)
  return () => {
    throw new Error(`There is no "${kind}" to run`)
  }
}

async function runBatch(port: MessagePort, slots: Int32Array, { id, inputs }: Batch, parse: Parse): Promise<void> {
  let first = 0
  let outcomes: ParseOutcome<unknown>[] = []
  let since = performance.now()
  const report = (isLast: boolean): void => {
    postReport(port, { id, first, outcomes, isLast })
    first += outcomes.length
    outcomes = []
    since = performance.now()
  }
  for (const [index, input] of inputs.entries()) {
    if (Atomics.load(slots, PROGRESS.abandoned) === id) break
    Atomics.store(slots, PROGRESS.input, index)
    const outcome = outcomeOf(parse, input)
    outcomes.push(outcome instanceof Promise ? await outcome : outcome)
    if (outcomes.length >= GROUP || performance.now() - since > GROUP_MS) report(false)
  }
  Atomics.store(slots, PROGRESS.input, IDLE)
  report(true)
}

function outcomeOf(parse: Parse, input: unknown): ParseOutcome<unknown> | Promise<ParseOutcome<unknown>> {
  try {
    const value = parse(input)
    if (!(value instanceof Promise)) return { ok: true, value }
    return value.then((made) => ({ ok: true, value: made }), failure)
  } catch (error) {
    return failure(error)
  }
}

function failure(error: unknown): ParseOutcome<unknown> {
  const isLimit = error instanceof Error && 'reason' in error && error.reason === 'limit'
  const message = error instanceof Error ? error.message : 'The thrown value is not an Error'
  return { ok: false, reason: isLimit ? 'limit' : 'broken', message }
}

/** A result that cannot be transferred fails alone. */
function postReport(port: MessagePort, report: Report): void {
  try {
    port.postMessage(report, memoryOf(report.outcomes))
  } catch {
    port.postMessage({ ...report, outcomes: report.outcomes.map(sendable) })
  }
}

function sendable(outcome: ParseOutcome<unknown>): ParseOutcome<unknown> {
  try {
    return structuredClone(outcome)
  } catch (error) {
    return failure(error)
  }
}

if (parentPort === null) throw new Error('This module runs in a thread of the parse pool')
await serve(parentPort, workerData)
