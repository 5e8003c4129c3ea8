/** Defines tools: their arguments are checked, their calls go through the pipeline of the API, and their results are marked. */
import { type Approval, type ApprovalKind, errors, type KeyOperation } from '@waypost/contract'
import { ApiError } from '@waypost/platform/api-error'
import { newSpanId } from '@waypost/platform/ids'
import type { JsonValue } from '@waypost/platform/json/guard'
import { fieldOf } from '@waypost/platform/json/values'
import { z } from 'zod'
import type { AnswerObject } from '../../http/answer.ts'
import { callRoute, type InternalCall } from '../../pipeline/internal-call.ts'
import { momentOf } from '../content/moment.ts'
import { type Presentation, present } from '../content/result-text.ts'
import {
  type JsonSchema,
  soleGrantOf,
  type ToolAnnotations,
  type ToolContext,
  type ToolDefinition,
  type ToolResult,
} from '../tool.ts'
import { withZone } from './parts.ts'
import { describeIssues, failureText, ToolFailure, WaitsForApproval } from './tool-failures.ts'

/** How a tool uses the API while it runs. */
export interface ToolUse {
  context: ToolContext
  /** The grant that the arguments name, or the only one of the credential. Empty for tools without a grant. */
  grantId: string
  /** Calls a route; fails if it is refused, fails, or waits for a person. */
  call(id: string, call?: RouteCall): Promise<AnswerObject>
}

export type RouteCall = Pick<InternalCall, 'params' | 'query' | 'headers'> & { body?: object }

export interface ToolSpec<I extends z.ZodRawShape> {
  name: string
  title: string
  description: string
  operations: readonly KeyOperation[]
  annotations: ToolAnnotations
  /** What can wait for a person. */
  approval?: readonly ApprovalKind[]
  /** Whether the tool acts for one grant. */
  grant: boolean
  input: I
  /** Rules about several arguments. */
  refine?(args: z.output<z.ZodObject<I>>): string | undefined
  output: z.ZodRawShape
  run(use: ToolUse, args: z.output<z.ZodObject<I>>): Promise<Presentation>
}

const grantId = {
  grant_id: z.string().min(1).max(320).meta({ description: 'The account: its grant id or address; see list_grants' }),
}
const noGrantId = { grant_id: grantId.grant_id.optional() }

/** Results of tools that may wait for a person. */
const waiting = {
  approval: z
    .object({
      id: z.string().meta({ description: 'Id for get_approval' }),
      status: z.string().meta({ description: 'State, such as `pending`' }),
      expires_at: z.string().meta({ description: 'Until when a person can decide' }),
    })
    .optional()
    .meta({
      description: 'Present if the action waits for a person. Nothing has happened yet. Do not repeat the call',
    }),
}

export function defineTool<const I extends z.ZodRawShape>(spec: ToolSpec<I>): ToolDefinition {
  const strict = (shape: z.ZodRawShape): z.ZodObject => z.strictObject(shape)
  const own = strict(spec.input)
  const full = spec.grant ? strict({ ...grantId, ...spec.input }) : own
  const lenient = spec.grant ? strict({ ...noGrantId, ...spec.input }) : own
  // Parts are absent while an action waits for a person.
  const output = spec.approval
    ? z.object({ ...z.object(spec.output).partial().shape, ...waiting })
    : z.object(spec.output)
  const { name, title, description, operations, annotations } = spec
  return {
    name,
    title,
    description,
    operations,
    annotations,
    approval: spec.approval ?? [],
    inputSchema: jsonSchemaOf(full, 'input'),
    soleInputSchema: jsonSchemaOf(own, 'input'),
    outputSchema: jsonSchemaOf(output, 'output'),
    call: (context, args) => callTool(spec, lenient, { context, args }),
  }
}

async function callTool<I extends z.ZodRawShape>(
  spec: ToolSpec<I>,
  schema: z.ZodObject,
  { context, args }: { context: ToolContext; args: unknown },
): Promise<ToolResult> {
  const parsed = schema.safeParse(withZone(spec.input, args ?? {}))
  if (!parsed.success) return failed(`invalid_arguments: ${describeIssues(parsed.error, Object.keys(schema.shape))}`)
  // The schema has the fields of `spec.input`, and perhaps `grant_id`.
  const given = parsed.data as z.output<z.ZodObject<I>> & { grant_id?: string }
  const grant = spec.grant ? (given.grant_id ?? soleGrantOf(context.caller)) : ''
  if (grant === undefined) {
    return failed('invalid_arguments: grant_id: is required; call list_grants and pass the id of the account')
  }
  const problem = spec.refine?.(given)
  if (problem !== undefined) return failed(`invalid_arguments: ${problem}`)
  try {
    const use = { context, grantId: grant, call: callerFor(spec.name, context) }
    const { text, structured } = present(await spec.run(use, given), newSpanId())
    return { content: [{ type: 'text', text }], structuredContent: structured }
  } catch (error) {
    if (error instanceof WaitsForApproval) return waits(error.approval)
    if (error instanceof ToolFailure) return failed(failureText(error.answer, spec.name))
    if (error instanceof ApiError) return failed(`${errors[error.code].type}: ${error.message}`)
    throw error
  }
}

const callerFor =
  (tool: string, context: ToolContext): ToolUse['call'] =>
  async (id, { body, headers, ...call } = {}) => {
    const { api, caller, address, signal, idempotencyKey, traceparent } = context
    const answer = await callRoute(api, {
      id,
      caller,
      address,
      signal,
      idempotencyKey,
      origin: { tool },
      ...call,
      // Arguments are JSON that the endpoint has parsed.
      ...(body === undefined ? {} : { body: body as JsonValue }),
      ...(traceparent || headers ? { headers: { ...headers, ...(traceparent ? { traceparent } : {}) } } : {}),
    })
    if (answer.status >= 400) throw new ToolFailure(answer)
    const waiting = approvalIn(answer.status, answer.body)
    if (waiting) throw new WaitsForApproval(waiting)
    return answer.body
  }

const approvalIn = (status: number, { data }: AnswerObject): Approval | undefined =>
  status === 202 && fieldOf(data, 'object') === 'approval'
    ? // The pipeline answers with this object of the contract.
      (data as Approval)
    : undefined

const failed = (text: string): ToolResult => ({ content: [{ type: 'text', text }], isError: true })

/** The result of an action that waits: what happens now, and what the agent must not do. */
function waits(approval: Approval): ToolResult {
  const until = momentOf(approval.expires_at, 'UTC').iso
  const text = [
    `Nothing has happened yet: this action waits for the approval of a person (${approval.kinds.join(', ')}).`,
    `approval id: ${approval.id}`,
    `expires: ${until} (${approval.expires_at})`,
    'Do not repeat the call and do not try another way. Tell the user that it waits. get_approval reports the decision.',
  ].join('\n')
  const { id, status } = approval
  return {
    content: [{ type: 'text', text }],
    structuredContent: { approval: { id, status, expires_at: until } },
    approval,
  }
}

/** Descriptions without ids: schemas are written out, because not every client follows references. */
const written = {
  get: (schema: z.core.$ZodType) => {
    const { id: _, ...meta } = z.globalRegistry.get(schema) ?? {}
    return meta
  },
  has: (schema: z.core.$ZodType) => z.globalRegistry.has(schema),
}

/** JSON Schema 2020-12 of arguments and results, from a schema of the contract. */
function jsonSchemaOf(schema: z.ZodObject, io: 'input' | 'output'): JsonSchema {
  // `toJSONSchema` reads the registry only through `get` and `has`.
  const metadata = written as unknown as typeof z.globalRegistry
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { io, unrepresentable: 'any', reused: 'inline', metadata })
  return { ...rest, type: 'object' }
}
