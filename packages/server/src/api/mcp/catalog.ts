/** All tools, in the order in which clients see them. */
import type { Caller } from '../pipeline/authenticate.ts'
import type { JsonSchema, ToolDefinition } from './tool.ts'
import { findMessages } from './tools/message-tools.ts'
import { convertTime, currentTime, listGrants } from './tools/service-tools.ts'
import { soleGrantOf } from './tools/sole-grant.ts'

export const tools: readonly ToolDefinition[] = [listGrants, findMessages, currentTime, convertTime]

const byName: ReadonlyMap<string, ToolDefinition> = new Map(tools.map((tool) => [tool.name, tool]))

/** The tools that a caller may call. Only a restricted credential lacks some. */
export function toolsFor({ credential }: Pick<Caller, 'credential'>): ToolDefinition[] {
  if (!credential) return [...tools]
  const may = new Set(credential.rights.operations)
  return tools.filter(({ operations }) => operations.every((operation) => may.has(operation)))
}

/** The tool of a name, if the caller may call it. */
export function findTool(caller: Pick<Caller, 'credential'>, name: string): ToolDefinition | undefined {
  const tool = byName.get(name)
  const operations = caller.credential?.rights.operations
  return tool && operations && !tool.operations.every((one) => operations.includes(one)) ? undefined : tool
}

/** The arguments that a tool has for a caller: those with exactly one grant do not name it. */
export const inputSchemaFor = (tool: ToolDefinition, caller: Caller): JsonSchema =>
  soleGrantOf(caller) === undefined ? tool.inputSchema : tool.soleInputSchema
