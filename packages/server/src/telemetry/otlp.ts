/**
 * Spans as OTLP writes them in JSON (opentelemetry-proto, trace/v1): ids in hex, times in nanoseconds as text; and the header
 * by which requests pass their trace on. Pure.
 */
import type { Attributes, SpanKind } from '@waypost/platform/span'

export interface EndedSpan {
  traceId: string
  spanId: string
  parentSpanId: string | undefined
  name: string
  kind: SpanKind
  /** Unix milliseconds, with fractions. */
  startedAt: number
  endedAt: number
  attributes: Attributes
  links: readonly TraceContext[]
  /** The name of the error. */
  failure: string | undefined
}

const kinds: Record<SpanKind, number> = { internal: 1, server: 2, client: 3 }
const statusOfError = 2

const anyValue = (value: string | number | boolean): object => {
  if (typeof value === 'string') return { stringValue: value }
  if (typeof value === 'boolean') return { boolValue: value }
  return Number.isInteger(value) ? { intValue: String(value) } : { doubleValue: value }
}

const attributesOf = (attributes: Attributes): object[] =>
  Object.entries(attributes).flatMap(([key, value]) => (value === undefined ? [] : [{ key, value: anyValue(value) }]))

/**
 * Milliseconds as nanoseconds. Whole and fractional part are converted separately, because their sum is not exact.
 */
const nanoseconds = (milliseconds: number): string => {
  const whole = Math.floor(milliseconds)
  return String(BigInt(whole) * 1_000_000n + BigInt(Math.round((milliseconds - whole) * 1e6)))
}

const spanOf = (span: EndedSpan): object => ({
  traceId: span.traceId,
  spanId: span.spanId,
  ...(span.parentSpanId === undefined ? {} : { parentSpanId: span.parentSpanId }),
  flags: 1,
  name: span.name,
  kind: kinds[span.kind],
  startTimeUnixNano: nanoseconds(span.startedAt),
  endTimeUnixNano: nanoseconds(span.endedAt),
  attributes: attributesOf(
    span.failure === undefined ? span.attributes : { ...span.attributes, 'error.type': span.failure },
  ),
  links: span.links.map(({ traceId, spanId }) => ({ traceId, spanId })),
  status: span.failure === undefined ? {} : { code: statusOfError },
})

/** The body of one export. */
export const exportOf = (
  spans: readonly EndedSpan[],
  resource: Attributes,
  scope: { name: string; version: string },
) => ({
  resourceSpans: [
    { resource: { attributes: attributesOf(resource) }, scopeSpans: [{ scope, spans: spans.map(spanOf) }] },
  ],
})

/** The header `traceparent` (W3C Trace Context, level 1), pure. */
export interface TraceContext {
  traceId: string
  spanId: string
  isSampled: boolean
}

const form = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/

/** The context in a header; undefined if it is not valid. A later version may append fields that we ignore. */
export function readTraceparent(text: string | null | undefined): TraceContext | undefined {
  const [, version, traceId = '', spanId = '', flags = '', more] = form.exec(text?.trim() ?? '') ?? []
  if (version === undefined || version === 'ff' || (version === '00' && more !== undefined)) return undefined
  if (/^0+$/.test(traceId) || /^0+$/.test(spanId)) return undefined
  return { traceId, spanId, isSampled: (Number.parseInt(flags, 16) & 1) === 1 }
}

export const writeTraceparent = ({ traceId, spanId }: Pick<TraceContext, 'traceId' | 'spanId'>): string =>
  `00-${traceId}-${spanId}-01`
