/** The page about the tools of the MCP endpoint. */
import { tools } from '../packages/server/src/api/mcp/catalog.ts'
import type { JsonSchema, ToolDefinition } from '../packages/server/src/api/mcp/tool.ts'

const intro = `# MCP tools

<!-- Made from the tools by \`npm run generate\`; do not edit. -->

The tools of the [MCP endpoint](../agents.md). A client sees only those whose rights its credential has, all of them, next to \`mcp\`. A credential with exactly one account has no argument \`grant_id\`. Arguments in bold are required.

- Times in arguments are Unix seconds, ISO 8601 with an offset (\`2026-11-18T09:00:00+01:00\`) or with a zone (\`2026-11-18T09:00[Europe/Berlin]\`), or a local time (\`2026-11-18T09:00\`) together with \`timezone\`. Times in results have both, and the time zone.
- A list has at most 25 objects and a result at most 64 KiB. \`next_cursor\` leads to the next page.
- Text of other people stands in \`untrusted\`, and in the text of the result between marks with a nonce of this result.
- An action that waits for a person has \`approval\` as result. The last column of the table names these actions.

`

const cell = (text: string): string => text.replaceAll('|', '\\|').replaceAll('\n', ' ')

const rightsOf = ({ operations }: ToolDefinition): string =>
  operations.length === 0 ? '–' : operations.map((operation) => `\`${operation}\``).join(', ')

function toolRow(tool: ToolDefinition): string {
  const { name, title, approval, annotations } = tool
  const kind = annotations.readOnlyHint ? 'reads' : 'changes'
  return `| [\`${name}\`](#${name}) | ${title} | ${kind} | ${rightsOf(tool)} | ${approval.join(', ') || '–'} |\n`
}

interface Field {
  type?: unknown
  enum?: readonly unknown[]
  anyOf?: readonly Field[]
  items?: Field
  default?: unknown
  description?: string
}

/** The types of a field, each once. */
function typesOf({ type, enum: values, anyOf, items }: Field): string[] {
  if (values) return [values.map((value) => `\`${String(value)}\``).join(', ')]
  if (anyOf) return anyOf.flatMap(typesOf)
  if (type === 'array') return [`list of ${items ? typeOf(items) : 'values'}`]
  return Array.isArray(type) ? type.map(String) : [String(type ?? 'any')]
}

const typeOf = (field: Field): string => [...new Set(typesOf(field))].join(' or ')

function argumentsOf({ properties, required }: JsonSchema): string {
  const names = new Set(Array.isArray(required) ? required : [])
  // JSON Schema of our own arguments.
  const fields = Object.entries((properties ?? {}) as Record<string, Field>)
  if (fields.length === 0) return 'No arguments.\n'
  const rows = fields.map(([name, field]) => {
    // A default makes an argument optional, whatever the schema of its parsed value says.
    const isRequired = names.has(name) && field.default === undefined
    return `| ${isRequired ? `**\`${name}\`**` : `\`${name}\``} | ${cell(typeOf(field))} | ${cell(field.description ?? '')} |\n`
  })
  return `| Argument | Type | Meaning |\n| --- | --- | --- |\n${rows.join('')}`
}

const section = (tool: ToolDefinition): string =>
  `## ${tool.name}\n\n${tool.description}\n\n${argumentsOf(tool.inputSchema)}`

export function mcpToolsPage(): string {
  const head = '| Tool | Title | Kind | Rights | Waits for a person |\n| --- | --- | --- | --- | --- |\n'
  return `${intro}${head}${tools.map(toolRow).join('')}\n${tools.map(section).join('\n')}`
}
