import { tools } from '../../../src/api/mcp/catalog.ts'
import type { ToolDefinition } from '../../../src/api/mcp/tool.ts'

export function toolNamed(name: string): ToolDefinition {
  const tool = tools.find((each) => each.name === name)
  if (!tool) throw new Error(`no tool ${name}`)
  return tool
}
