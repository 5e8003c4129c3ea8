/**
 * Traces: spans are collected and sent to an OTLP receiver over HTTP in batches. Spans that the receiver does not
 * accept in time are dropped and counted. No request waits for them, and the queue is bounded.
 */
import type { Clock } from '@waypost/platform/clock'
import { createEgress, type Egress } from '@waypost/platform/egress/egress'
import { newFraction, newSpanId, newTraceId } from '@waypost/platform/ids'
import type { Log } from '@waypost/platform/log'
import { RepeatedFailure } from '@waypost/platform/repeated-failure'
import type { Attributes, Span, SpanKind, SpanOptions, Tracer } from '@waypost/platform/span'
import type { Counts } from '@waypost/platform/tally'
import { version } from '@waypost/platform/versions'
import { type EndedSpan, exportOf, readTraceparent, type TraceContext, writeTraceparent } from './otlp.ts'

interface TracingOptions {
  /** The address of the receiver, without `/v1/traces`. */
  url: string
  /** Headers for the receiver, such as a key. */
  headers: Readonly<Record<string, string>>
  /** The share of requests that is traced, from 0 to 1, unless the client has decided it. */
  ratio: number
  clock: Clock
  log: Log
  /** Counts exported and dropped spans. */
  spans: Counts
  /** The id of this node. */
  nodeId: string
  everyMs?: number
  maxQueued?: number
}

interface Tracing extends Tracer, AsyncDisposable {}

const batch = 512
const sendMs = 5_000
/** Time for the last spans when the node stops. */
const endMs = 300

export function createTracing(options: TracingOptions): Tracing {
  const { ratio, clock } = options
  const exporter = new Exporter(options)
  const add = (span: EndedSpan): void => exporter.add(span)
  return {
    begin(name, kind, { attributes = {}, parent, links = [] }: SpanOptions = {}) {
      const above = readTraceparent(parent)
      const isRetained = above ? above.isSampled : ratio >= 1 || newFraction() < ratio
      if (!isRetained) return undefined
      const known = links.flatMap((link) => readTraceparent(link) ?? [])
      const at = { traceId: above?.traceId ?? newTraceId(), parentSpanId: above?.spanId }
      return new LiveSpan({ clock, add }, { ...at, name, kind, attributes, links: known })
    },
    [Symbol.asyncDispose]: () => exporter.end(),
  }
}

interface Tools {
  clock: Clock
  add(span: EndedSpan): void
}
type Beginning = Pick<EndedSpan, 'traceId' | 'parentSpanId' | 'name' | 'kind' | 'attributes'> & {
  links: readonly TraceContext[]
}

class LiveSpan implements Span {
  readonly #tools: Tools
  readonly #began: Beginning
  readonly #spanId = newSpanId()
  readonly #startedAt: number
  readonly #startedTick = performance.now()
  #attributes: Attributes
  #isOver = false

  constructor(tools: Tools, began: Beginning) {
    this.#tools = tools
    this.#began = began
    this.#attributes = began.attributes
    this.#startedAt = tools.clock.now()
  }

  get traceId(): string {
    return this.#began.traceId
  }

  get traceparent(): string {
    return writeTraceparent({ traceId: this.traceId, spanId: this.#spanId })
  }

  child(name: string, kind: SpanKind, attributes: Attributes = {}): Span {
    const at = { traceId: this.traceId, parentSpanId: this.#spanId }
    return new LiveSpan(this.#tools, { ...at, name, kind, attributes, links: [] })
  }

  set(attributes: Attributes): void {
    this.#attributes = { ...this.#attributes, ...attributes }
  }

  end(failure?: string): void {
    if (this.#isOver) return
    this.#isOver = true
    const endedAt = this.#startedAt + performance.now() - this.#startedTick
    this.#tools.add({
      ...this.#began,
      spanId: this.#spanId,
      startedAt: this.#startedAt,
      endedAt,
      attributes: this.#attributes,
      failure,
    })
  }
}

/** Sends collected spans, one batch after another. A batch that is refused or not answered is dropped. */
class Exporter {
  readonly #options: TracingOptions
  readonly #egress: Egress
  readonly #failure = new RepeatedFailure({ first: 1_000, max: 60_000 })
  #queue: EndedSpan[] = []
  #timer: NodeJS.Timeout | undefined
  #sending: Promise<void> | undefined
  #isOver = false

  constructor(options: TracingOptions) {
    this.#options = options
    // The operator names the receiver, as it names the store, so any address is allowed.
    this.#egress = createEgress({ mode: 'private' })
  }

  add(span: EndedSpan): void {
    const { spans, maxQueued = 4_096 } = this.#options
    if (this.#isOver || this.#queue.length >= maxQueued) {
      spans.add('dropped')
      return
    }
    this.#queue.push(span)
    if (this.#queue.length >= batch && this.#failure.count === 0) this.#send()
    else this.#wait()
  }

  /** Sends the remaining spans and waits for them briefly. */
  async end(): Promise<void> {
    clearTimeout(this.#timer)
    if (this.#queue.length > 0 || this.#sending) {
      let timer: NodeJS.Timeout | undefined
      const late = new Promise<void>((resolve) => {
        timer = setTimeout(resolve, endMs)
      })
      await Promise.race([this.#flush(), late])
      clearTimeout(timer)
    }
    this.#isOver = true
    clearTimeout(this.#timer)
    await this.#egress[Symbol.asyncDispose]()
  }

  async #flush(): Promise<void> {
    await this.#sending
    while (this.#queue.length > 0) {
      this.#send()
      await this.#sending
    }
  }

  #wait(): void {
    const { everyMs = 2_000 } = this.#options
    if (this.#isOver) return
    this.#timer ??= setTimeout(() => this.#send(), Math.max(everyMs, this.#failure.rest)).unref()
  }

  #send(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
    if (this.#sending || this.#queue.length === 0) return
    const spans = this.#queue.slice(0, batch)
    this.#queue = this.#queue.slice(batch)
    this.#sending = this.#post(spans).finally(() => {
      this.#sending = undefined
      if (this.#queue.length > 0) this.#wait()
    })
  }

  async #post(spans: readonly EndedSpan[]): Promise<void> {
    const { url, headers, nodeId, log, spans: counts } = this.#options
    const resource = { 'service.name': 'waypost', 'service.version': version, 'service.instance.id': nodeId }
    const body = JSON.stringify(exportOf(spans, resource, { name: 'waypost', version }))
    const target = `${url}/v1/traces`
    try {
      const given = { ...headers, 'content-type': 'application/json' }
      const requested = { url: target, method: 'POST', headers: given, body, deadlineMs: sendMs } as const
      const { status } = await this.#egress.request(requested)
      if (status < 200 || status > 299) throw new Error(`the receiver of traces answered ${status}`)
      this.#failure.succeeded()
      counts.of('exported').value += spans.length
    } catch (error) {
      counts.of('dropped').value += spans.length
      const facts = { error, spans: spans.length, failures: this.#failure.count + 1 }
      if (this.#failure.failed()) log.warn(facts, 'traces could not be sent; these are dropped')
    }
  }
}
