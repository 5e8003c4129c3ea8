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
