/**
 * `tools/call`. A call whose action needs approval asks the person in front of the client, where the client can. Clients of
 * 2026-07-28 get the question as result and repeat the call with the answer. Earlier ones get the question as a request
 * within the event stream of the call, and send the answer in a request of its own, to any node.
 */
import type { JsonValue } from '@waypost/platform/json/guard'
import type { EventSink } from '../../http/event-stream.ts'
import type { ToolContext, ToolDefinition, ToolResult } from '../tool.ts'
import { answerIn, type CalledTool, openQuestion, questionMs, sealQuestion } from './client-state.ts'
import { encodeResult, metaOf } from './envelope.ts'
import type { CallOutcome, MethodAnswer, MethodCall, Question } from './exchange.ts'
import { codes, invalidParams, ProtocolFault } from './faults.ts'
import { isObject, type Params, resultText } from './json-rpc.ts'
import { missingRights } from './mcp-caller.ts'
import { missingFor } from './tool-list.ts'

/** The key of our question among the `inputRequests` of a result. */
const questionKey = 'approval'

export async function callTool(call: MethodCall): Promise<MethodAnswer> {
  const { mcp, caller, message } = call
  const called = calledTool(message.params)
  const tool = mcp.tools.find(({ name }) => name === called.name)
  if (!tool) throw invalidParams(`Unknown tool: ${called.name.slice(0, 100)}`)
  const missing = missingFor(caller.credential, tool)
  if (missing.length > 0) {
    mcp.counted.called(tool.name, 'refused')
    throw missingRights(call.presented, missing)
  }
  const { requestState, inputResponses } = message.params
  if (requestState !== undefined || inputResponses !== undefined) return repeatedCall(call, tool, called)
  const result = await tool.call(contextOf(call), called.args)
  const question = call.canAsk ? await mcp.questions.questionOf(call, result) : undefined
  mcp.counted.called(tool.name, question ? 'question' : outcomeOf(result))
  if (!question) return { result: wireResult(result) }
  if (call.generation === 'modern') return askInResult(call, called, question)
  return { produce: (sink) => askInStream(call, { called, question, result }, sink) }
}

function calledTool({ name, arguments: args = {} }: Params): CalledTool {
  if (typeof name !== 'string') throw invalidParams('name: must be the name of a tool')
  if (!isObject(args)) throw invalidParams('arguments: must be an object')
  return { name, args }
}

function contextOf({ mcp, caller, presented, request, message, span }: MethodCall): ToolContext {
  const traceparent = span?.traceparent ?? metaOf(message.params)?.traceparent
  return {
    api: mcp.api,
    caller,
    address: presented.address,
    signal: request.signal,
    ...(typeof traceparent === 'string' ? { traceparent } : undefined),
  }
}

/** The fields that clients get. */
const wireResult = ({ content, structuredContent, isError }: ToolResult): object => ({
  content,
  ...(structuredContent === undefined ? undefined : { structuredContent }),
  ...(isError ? { isError } : undefined),
})

const outcomeOf = ({ isError, approval }: ToolResult): CallOutcome => (isError ? 'error' : approval ? 'approval' : 'ok')

function askInResult(
  call: MethodCall,
  called: CalledTool,
  { message, requestedSchema, state }: Question,
): MethodAnswer {
  const params = { mode: 'form', message, requestedSchema }
  return {
    result: {
      resultType: 'input_required',
      inputRequests: { [questionKey]: { method: 'elicitation/create', params } },
      requestState: sealQuestion(call, called, state),
    },
  }
}

/** A call that a client repeats with the answer to our question. */
async function repeatedCall(call: MethodCall, tool: ToolDefinition, called: CalledTool): Promise<MethodAnswer> {
  const { mcp, message, generation } = call
  const { requestState, inputResponses } = message.params
  if (generation === 'older') throw invalidParams('requestState and inputResponses need version 2026-07-28')
  if (typeof requestState !== 'string') throw invalidParams('requestState: must be the text of the earlier result')
  const state = openQuestion(call, requestState, called)
  if (!call.canAsk) {
    const data: JsonValue = { requiredCapabilities: { elicitation: {} } }
    throw new ProtocolFault(codes.missingClientCapability, 'the answer to a question needs elicitation', { data })
  }
  const response = isObject(inputResponses) ? inputResponses[questionKey] : undefined
  if (!isObject(response)) throw invalidParams(`inputResponses.${questionKey}: must be the answer of the person`)
  const result = await mcp.questions.decide(call, state, answerIn(response))
  mcp.counted.called(tool.name, outcomeOf(result))
  return { result: wireResult(result) }
}

interface CallContext {
  called: CalledTool
  question: Question
  /** The result as long as nobody has answered. */
  result: ToolResult
}

async function askInStream(call: MethodCall, requesting: CallContext, sink: EventSink): Promise<void> {
  const { mcp, message, request } = call
  const { called, question } = requesting
  const id = sealQuestion(call, called, question.state)
  const params = { message: question.message, requestedSchema: question.requestedSchema }
  sink.send({ data: JSON.stringify({ jsonrpc: '2.0', id, method: 'elicitation/create', params }) })
  const signal = AbortSignal.any([sink.signal, request.signal, mcp.stopping])
  const poll = (): Promise<ToolResult | undefined> =>
    mcp.questions.outcomeOf(call, question.state).catch(() => undefined)
  const result = (await mcp.waiting.until(id, poll, { maxMs: questionMs, signal })) ?? requesting.result
  sink.send({ data: resultText(message.id, encodeResult(call, wireResult(result))) })
}
