/** Errors of the protocol: JSON-RPC errors with the HTTP status that carries them. */
import type { JsonValue } from '@waypost/platform/json/guard'

/**
 * Codes of JSON-RPC 2.0 §5.1 and of MCP 2026-07-28 (basic/index, "Error Codes"). Refusals of HTTP (401, 403, 429 …) use
 * their status as code, because the protocol reserves -32768 to -32000.
 */
export const codes = {
  parseError: -32700,
  invalidRequest: -32600,
  methodNotFound: -32601,
  invalidParams: -32602,
  internalError: -32603,
  headerMismatch: -32020,
  missingClientCapability: -32021,
  unsupportedVersion: -32022,
  /** Versions up to 2025-11-25 only; later ones use `invalidParams`. */
  resourceNotFound: -32002,
} as const

export interface FaultDetails {
  status?: number
  data?: JsonValue
  headers?: Readonly<Record<string, string>>
}

export class ProtocolFault extends Error {
  readonly code: number
  readonly status: number
  readonly data: JsonValue | undefined
  readonly headers: Readonly<Record<string, string>>

  constructor(code: number, message: string, { status = 400, data, headers = {} }: FaultDetails = {}) {
    super(message)
    this.name = 'ProtocolFault'
    this.code = code
    this.status = status
    this.data = data
    this.headers = headers
  }
}

/** Parameters that do not fit. Inside of a request that is well formed otherwise, HTTP succeeds. */
export const invalidParams = (message: string, status = 200): ProtocolFault =>
  new ProtocolFault(codes.invalidParams, message, { status })

/** A method that the revision of the request does not have. */
export const unknownMethod = (method: string, status: number): ProtocolFault =>
  new ProtocolFault(codes.methodNotFound, `Method not found: ${method.slice(0, 100)}`, { status })
