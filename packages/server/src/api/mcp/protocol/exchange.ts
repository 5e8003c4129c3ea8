/** One request of a client and what its methods work with. */
import type { Approval } from '@waypost/contract'
import type { JsonValue } from '@waypost/platform/json/guard'
import type { Span } from '@waypost/platform/span'
import type { Credential } from '../../../applications/key-rights.ts'
import type { StreamPart, StreamQuestion } from '../../../webhooks/stream.ts'
import type { EventSink } from '../../http/event-stream.ts'
import type { HttpRequest } from '../../http/http.ts'
import type { OpenStreams } from '../../http/open-streams.ts'
import type { ApiServices } from '../../pipeline/api-services.ts'
import type { ToolDefinition, ToolResult } from '../tool.ts'
import type { Params, RequestMessage } from './json-rpc.ts'
import type { McpCaller, Presented } from './mcp-caller.ts'
import type { WaitingCalls } from './waiting-calls.ts'

/** A decision about an approval, by the person in front of the client. */
export interface Decisions {
  get(at: { applicationId: string; id: string }): Promise<Approval>
  decide(decision: {
    applicationId: string
    id: string
    decision: 'approve' | 'reject'
    by: string
    reason?: string
    signal?: AbortSignal
  }): Promise<Approval>
}

/** Figures of the endpoint. */
export interface McpCounts {
  /** A finished call of a tool. */
  called(tool: string, outcome: CallOutcome): void
}

export type CallOutcome = 'ok' | 'error' | 'refused' | 'approval' | 'question'

/** What the endpoint needs besides the API. */
export interface McpServices {
  api: ApiServices
  baseUrl: string
  tools: readonly ToolDefinition[]
  questions: Questions
  /** Calls that wait at this node for the answer of a person. */
  waiting: WaitingCalls
  toolList(credential: Credential): string
  /** The notifications of an application. */
  nextOfStream(question: StreamQuestion): Promise<StreamPart>
  streams: OpenStreams
  /** How often the credential of a stream is read without a change. */
  checkMs: number
  counted: McpCounts
  /** Aborts when the node stops. */
  stopping: AbortSignal
}

/** What a person is asked before an action is carried out. */
export interface Question {
  message: string
  /** A flat JSON Schema of the answer. */
  requestedSchema: JsonValue
  /** What the service must know again when the answer arrives. It is sealed before it goes to the client. */
  state: JsonValue
}

export type Answer = { action: 'accept'; content: Params } | { action: 'decline' } | { action: 'cancel' }

/** Asks the person in front of the client. The answer may arrive at another node. */
export interface Questions {
  /** The question that a result leaves open; undefined if there is none. */
  questionOf(exchange: Exchange, result: ToolResult): Promise<Question | undefined>
  /** Carries out the answer. Throws a fault if it is too late, or the answer does not fit. */
  decide(exchange: Exchange, state: JsonValue, answer: Answer): Promise<ToolResult>
  /** The result, if somebody has answered meanwhile. */
  outcomeOf(exchange: Exchange, state: JsonValue): Promise<ToolResult | undefined>
}

/** A request of an admitted caller. */
export interface Exchange {
  mcp: McpServices
  caller: McpCaller
  presented: Presented
  request: HttpRequest
  requestId: string
  generation: 'modern' | 'older'
  /** The version that the client speaks, as far as it is known. */
  version: string
  /** Whether the client can ask its user. */
  canAsk: boolean
  span: Span | undefined
}

export type MethodCall = Exchange & { message: RequestMessage }

/** A result as JSON text, with the headers of its response. */
export interface TextAnswer {
  text: string
  headers?: Readonly<Record<string, string>>
}

/** An answer in several messages. */
export interface StreamAnswer {
  produce(sink: EventSink): Promise<void>
}

/** A method returns an object, its text, or a stream. */
export type MethodAnswer = { result: object } | TextAnswer | StreamAnswer

export type Method = (call: MethodCall) => Promise<MethodAnswer> | MethodAnswer
