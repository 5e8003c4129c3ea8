/** `tools/list`: the tools whose operations the credential has. */
import type { KeyOperation } from '@waypost/contract'
import { type Credential, hasOperation } from '../../../applications/key-rights.ts'
import { soleGrantOf, type ToolDefinition } from '../tool.ts'

/** Rights change rarely, but a withdrawn one should disappear soon. It stops working at once in any case. */
export const listTtlMs = 60_000

/** The operations that a tool needs and the credential lacks. */
export const missingFor = (credential: Credential, { operations }: ToolDefinition): KeyOperation[] =>
  operations.filter((operation) => !hasOperation(credential, operation))

const listed = (tool: ToolDefinition, isSole: boolean): object => ({
  name: tool.name,
  title: tool.title,
  description: tool.description,
  inputSchema: isSole ? tool.soleInputSchema : tool.inputSchema,
  outputSchema: tool.outputSchema,
  annotations: tool.annotations,
})

/** Combinations of rights whose list is remembered. There are few in an installation. */
const maxLists = 64

/** Makes the JSON of the tools of a credential. It is the same for all credentials with the same operations. */
export function toolLists(tools: readonly ToolDefinition[]): (credential: Credential) => string {
  const lists = new Map<string, string>()
  return (credential) => {
    const isSole = soleGrantOf({ credential }) !== undefined
    const key = `${isSole} ${credential.rights.operations.toSorted().join(' ')}`
    const known = lists.get(key)
    if (known !== undefined) return known
    const own = tools.filter((tool) => missingFor(credential, tool).length === 0)
    const text = JSON.stringify(own.map((tool) => listed(tool, isSole)))
    if (lists.size >= maxLists) lists.clear()
    lists.set(key, text)
    return text
  }
}
