/** The tools and questions that the official conformance suite calls by name, on top of the service's protocol code. */

import type { JsonValue } from '@waypost/platform/json/guard'
import type { Question, Questions } from '../../../../src/api/mcp/protocol/exchange.ts'
import type { JsonSchema, ToolDefinition, ToolResult } from '../../../../src/api/mcp/tool.ts'

/** A picture and a sound of a few bytes. */
const png = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
const wav = Buffer.from('RIFF\u0024\0\0\0WAVEfmt ', 'latin1').toString('base64')

const schema: JsonSchema = { type: 'object', properties: {} }
const text = (words: string): object => ({ type: 'text', text: words })
const image = { type: 'image', data: png, mimeType: 'image/png' }
const resource = (uri: string, more: object): object => ({ type: 'resource', resource: { uri, ...more } })

// The suite requires kinds of content that the tools of the service do not have.
const resultOf = (content: object[], more: object = {}): ToolResult => ({ content, ...more }) as unknown as ToolResult

function tool(name: string, call: (args: Record<string, unknown>) => ToolResult, input = schema): ToolDefinition {
  return {
    ...{ name, title: name, description: `${name} of the conformance suite` },
    inputSchema: input,
    soleInputSchema: input,
    outputSchema: { type: 'object' },
    annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
    operations: [],
    approval: [],
    call: async (_context, args) => call(args as Record<string, unknown>),
  }
}

const option = (name: string, title: string): object => ({ const: name, title })
const choices = ['option1', 'option2', 'option3']
const titled = [option('value1', 'First'), option('value2', 'Second'), option('value3', 'Third')]
const questions: Record<string, { message: string; properties: object; required: string[] }> = {
  test_elicitation: {
    message: '',
    properties: { response: { type: 'string', description: "User's response" } },
    required: ['response'],
  },
  test_elicitation_sep1034_defaults: {
    message: 'Please review the fields with defaults',
    properties: {
      name: { type: 'string', description: 'Name', default: 'John Doe' },
      age: { type: 'integer', description: 'Age', default: 30 },
      score: { type: 'number', description: 'Score', default: 95.5 },
      status: { type: 'string', enum: ['active', 'inactive', 'pending'], default: 'active' },
      verified: { type: 'boolean', description: 'Verified', default: true },
    },
    required: [],
  },
  test_elicitation_sep1330_enums: {
    message: 'Please choose',
    properties: {
      untitledSingle: { type: 'string', enum: choices },
      titledSingle: { type: 'string', oneOf: titled },
      legacyEnum: { type: 'string', enum: ['opt1', 'opt2', 'opt3'], enumNames: ['One', 'Two', 'Three'] },
      untitledMulti: { type: 'array', items: { type: 'string', enum: choices } },
      titledMulti: { type: 'array', items: { anyOf: titled } },
    },
    required: [],
  },
}

const nameQuestion = {
  message: 'What is your name?',
  properties: { name: { type: 'string', description: 'Name' } },
  required: ['name'],
}
for (const kind of ['request_state', 'tampered_state']) {
  questions[`test_input_required_result_${kind}`] = nameQuestion
}

const requesting = (name: string): ToolDefinition =>
  tool(name, (args) => resultOf([text('not asked')], { asks: { name, message: args.message } }))

const dialect: JsonSchema = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  type: 'object',
  $defs: {
    address: {
      $anchor: 'addressDef',
      type: 'object',
      properties: { street: { type: 'string' }, city: { type: 'string' } },
    },
  },
  properties: {
    name: { type: 'string' },
    address: { $ref: '#/$defs/address' },
    contactMethod: { type: 'string', enum: ['phone', 'email'] },
    phone: { type: 'string' },
    email: { type: 'string' },
  },
  allOf: [{ anyOf: [{ required: ['phone'] }, { required: ['email'] }] }],
  if: { properties: { contactMethod: { const: 'phone' } } },
  // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
  then: { required: ['phone'] },
  else: { required: ['email'] },
  additionalProperties: false,
}

export const conformanceTools: readonly ToolDefinition[] = [
  tool('test_simple_text', () => resultOf([text('This is a simple text response for testing.')])),
  tool('test_image_content', () => resultOf([image])),
  tool('test_audio_content', () => resultOf([{ type: 'audio', data: wav, mimeType: 'audio/wav' }])),
  tool('test_embedded_resource', () =>
    resultOf([
      resource('test://embedded-resource', { mimeType: 'text/plain', text: 'This is an embedded resource content.' }),
    ]),
  ),
  tool('test_multiple_content_types', () =>
    resultOf([
      text('Multiple content types test:'),
      image,
      resource('test://mixed-content-resource', { mimeType: 'application/json', text: '{"test":"data","value":123}' }),
    ]),
  ),
  tool('test_error_handling', () =>
    resultOf([text('This tool intentionally returns an error for testing')], { isError: true }),
  ),
  ...Object.keys(questions).map(requesting),
  tool('json_schema_2020_12_tool', (args) => resultOf([text(JSON.stringify(args))]), dialect),
]

/** Questions without approvals: the outcome is in memory instead of in the store. */
export function conformanceQuestions(): Questions {
  const answered = new Map<string, ToolResult>()
  let requested = 0
  return {
    async questionOf(_exchange, result): Promise<Question | undefined> {
      const { asks } = result as ToolResult & { asks?: { name: string; message?: string } }
      const question = asks && questions[asks.name]
      if (!question) return undefined
      const requestedSchema = { type: 'object', properties: question.properties, required: question.required }
      requested++
      const message = asks.message ?? question.message
      return { message, requestedSchema: requestedSchema as unknown as JsonValue, state: String(requested) }
    },
    async decide(_exchange, state, answer) {
      const content = answer.action === 'accept' ? answer.content : {}
      const result = resultOf([text(`User response: action=${answer.action}, content=${JSON.stringify(content)}`)])
      answered.set(String(state), result)
      return result
    },
    outcomeOf: async (_exchange, state) => answered.get(String(state)),
  }
}
