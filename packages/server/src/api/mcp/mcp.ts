/** The MCP endpoint of a node, with the tools of the catalog. */
import { createStream } from '../../webhooks/stream.ts'
import { OpenStreams } from '../http/open-streams.ts'
import type { ApiServices } from '../pipeline/api-services.ts'
import type { Endpoint } from '../pipeline/page.ts'
import { mcpEndpoints } from './protocol/endpoint.ts'
import type { McpServices, Questions } from './protocol/exchange.ts'
import { maxStreams } from './protocol/listen.ts'
import { toolLists } from './protocol/tool-list.ts'
import { WaitingCalls } from './protocol/waiting-calls.ts'
import type { ToolDefinition } from './tool.ts'

export interface McpOptions {
  api: ApiServices
  baseUrl: string
  tools: readonly ToolDefinition[]
  questions: Questions
  stopping: AbortSignal
  /** How often the credential of a stream is read without a change. */
  checkMs?: number
  /** The notifications of an application. */
  nextOfStream?: McpServices['nextOfStream']
}

/** The endpoint over any set of tools, which tests replace. */
export function createMcp(options: McpOptions): Endpoint[] {
  const { api, tools } = options
  const calls = api.telemetry.metrics.counts('waypost_mcp_calls_total')
  const streams = new OpenStreams(maxStreams)
  api.telemetry.metrics.read('waypost_mcp_streams', () => [[[], streams.total]])
  const mcp: McpServices = {
    ...options,
    checkMs: options.checkMs ?? 5_000,
    waiting: new WaitingCalls(),
    toolList: toolLists(tools),
    nextOfStream: options.nextOfStream ?? createStream(api.storage.database),
    streams,
    counted: { called: (tool, outcome) => calls.of(tool, outcome).value++ },
  }
  return mcpEndpoints(mcp)
}
