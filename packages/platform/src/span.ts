/**
 * Tracing, as the rest of the code sees it. A span is a period of work that is passed from caller to callee. If
 * tracing is off or the request is not sampled, there is no span and nothing is done.
 *
 * Spans are exported to the operator's receiver. They contain route names, operations, hosts, statuses and ids of
 * requests and applications, but never content, addresses, paths with ids, or secrets.
 */
export type SpanKind = 'internal' | 'server' | 'client'
export type Attributes = Readonly<Record<string, string | number | boolean | undefined>>

export interface Span {
  readonly traceId: string
  /** Identifies this span to later work and other processes (W3C Trace Context). */
  readonly traceparent: string
  child(name: string, kind: SpanKind, attributes?: Attributes): Span
  set(attributes: Attributes): void
  /** Ends the span. `failure` names the error, if any. */
  end(failure?: string): void
}

export interface SpanOptions {
  attributes?: Attributes
  /** The parent span in another process, as received. Untrusted. */
  parent?: string | null | undefined
  /** Spans that caused this one without containing it. */
  links?: readonly string[]
}

export interface Tracer {
  /** Starts a span without a parent in this process. Undefined if it is not sampled. */
  begin(name: string, kind: SpanKind, options?: SpanOptions): Span | undefined
}

/** Runs work inside a span and ends the span with the outcome. */
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
