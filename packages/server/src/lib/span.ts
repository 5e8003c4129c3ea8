/**
 * Traces, as the rest of the code sees them: a span is a stretch of work, handed on from who began it to who works for it.
 * Where traces are off, or a request is not among those that are traced, there is none, and nothing is done.
 *
 * What a span says goes to whoever runs the receiver: names of routes, operations and hosts, statuses and ids of requests
 * and applications; never what somebody wrote, an address, a path with ids, or a secret.
 */
export type SpanKind = 'internal' | 'server' | 'client'
export type Attributes = Readonly<Record<string, string | number | boolean | undefined>>

export interface Span {
  readonly traceId: string
  /** Names this span to later work and other processes (W3C Trace Context). */
  readonly traceparent: string
  child(name: string, kind: SpanKind, attributes?: Attributes): Span
  set(attributes: Attributes): void
  /** Ends it; `failure` is the name of what went wrong. */
  end(failure?: string): void
}

export interface SpanOptions {
  attributes?: Attributes
  /** The span of another process that this one continues, as it was sent: it may be anything. */
  parent?: string | null | undefined
  /** Spans that this one follows from, without being a part of them. */
  links?: readonly string[]
}

export interface Tracer {
  /** Begins a span that has no parent in this process; undefined where it is not among those that are kept. */
  begin(name: string, kind: SpanKind, options?: SpanOptions): Span | undefined
}

/** Runs work under a span, and ends it with how the work ended. */
export async function within<T>(
  span: Span | undefined,
  work: () => Promise<T>,
  nameOf: (error: unknown) => string,
): Promise<T> {
  if (!span) return work()
  try {
    const result = await work()
    span.end()
    return result
  } catch (error) {
    span.end(nameOf(error))
    throw error
  }
}
