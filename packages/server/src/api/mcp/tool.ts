/** The types of MCP tools. A tool is a small view of one or a few routes; `catalog.ts` lists all tools. */
import type { Approval, ApprovalKind, KeyOperation } from '@waypost/contract'
import type { Caller } from '../../grants/caller.ts'
import type { ApiServices } from '../pipeline/api-services.ts'

/** JSON Schema 2020-12 of an object. */
export type JsonSchema = { readonly type: 'object'; readonly [keyword: string]: unknown }

/** Hints for clients about what a tool does. They protect nothing. */
export interface ToolAnnotations {
  readonly readOnlyHint: boolean
  readonly destructiveHint: boolean
  readonly idempotentHint: boolean
  readonly openWorldHint: boolean
}

/** One call of a tool. */
export interface ToolContext {
  api: ApiServices
  /** Who calls, authenticated by the endpoint. */
  caller: Caller
  /** The address of the client. */
  address: string
  /** Aborts when the client disconnects. */
  signal: AbortSignal
  /** Makes repeated calls with the same key one: for tools that change something. */
  idempotencyKey?: string | undefined
  /** The trace of the client. */
  traceparent?: string | undefined
}

export interface ToolResult {
  content: { type: 'text'; text: string }[]
  /** Matches `outputSchema`; absent for errors. */
  structuredContent?: Record<string, unknown>
  isError?: true
  /** The action waits for a person. `structuredContent` says so too. */
  approval?: Approval
}

export interface ToolDefinition {
  readonly name: string
  readonly title: string
  readonly description: string
  /** The arguments. */
  readonly inputSchema: JsonSchema
  /** The arguments for a credential with exactly one grant: without `grant_id`. */
  readonly soleInputSchema: JsonSchema
  readonly outputSchema: JsonSchema
  readonly annotations: ToolAnnotations
  /** The operations that a credential needs, all of them. */
  readonly operations: readonly KeyOperation[]
  /** What waits for a person, unless the credential says otherwise. */
  readonly approval: readonly ApprovalKind[]
  /** Calls the tool. Wrong arguments, refusals and failures are results with `isError`. */
  call(context: ToolContext, args: unknown): Promise<ToolResult>
}

/** The grant of a credential that has exactly one, so that tools need not name it. */
export function soleGrantOf({ grantId, credential }: Pick<Caller, 'grantId' | 'credential'>): string | undefined {
  if (grantId !== undefined) return grantId
  const grants = credential?.rights.grants
  const ids = credential?.grantIds ?? (grants && 'ids' in grants ? grants.ids : undefined)
  return ids?.length === 1 ? ids[0] : undefined
}
