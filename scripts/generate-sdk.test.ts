/** The parts of the SDK generator. */
import { expect, test } from 'vitest'
import { z } from 'zod'
import { type Contract, route } from '../packages/contract/src/index.ts'
import { docComment } from './generate-sdk/doc-comment.ts'
import { operationsFile } from './generate-sdk/operations-file.ts'
import { schemaForms } from './generate-sdk/schema-forms.ts'
import { typesFile } from './generate-sdk/types-file.ts'
import { type Form, typeOf } from './generate-sdk/typescript-type.ts'

const form: Form = { nameOf: (name) => name, descriptionOf: (name) => `Of ${name}.`, undefinedFields: false }

test('a description cannot end its comment, nor begin a tag', () => {
  const comment = docComment(['Patterns such as */* are text.', '@see nothing'])
  expect(comment.match(/\*\//g)).toHaveLength(1)
  expect(comment).toContain(' * \\@see nothing')
  expect(docComment([undefined, ' '])).toBe('')
})

test('types are written as TypeScript reads them', () => {
  expect(typeOf({ type: 'array', items: { type: ['string', 'null'] } }, form)).toBe('(string | null)[]')
  expect(typeOf({ enum: ["it's", 5, null] }, form)).toBe("'it\\'s' | 5 | null")
  expect(typeOf({ anyOf: [{ $ref: 'Event' }, { type: 'null' }] }, form)).toBe('Event | null')
  expect(typeOf({ type: 'object', additionalProperties: {}, propertyNames: {} }, form)).toBe('Record<string, unknown>')
  const object = { type: 'object', properties: { 'a-b': { $ref: 'When' }, c: {} }, required: ['a-b'] }
  expect(typeOf(object, form)).toBe("{\n  /** Of When. */\n  'a-b': When\n  c?: unknown\n}")
})

test('what is sent and answered in different forms has two types', () => {
  const Thing = z.object({ size: z.int().default(1) })
  const contract: Contract = {
    things: {
      keep: route({
        method: 'POST',
        path: '/things/:thing_id',
        summary: 'Keep a thing',
        right: 'mail.read',
        audience: 'application',
        body: Thing,
        returns: Thing,
      }),
    },
  }
  const forms = schemaForms(contract)
  const types = typesFile(forms)
  expect(types).toContain('export type ThingsKeepBody = {\n  size: number\n}')
  expect(types).toContain('export type ThingsKeepBodyInput = {\n  size?: number | undefined\n}')
  const operations = operationsFile(contract, forms)
  expect(operations).toContain('  body?: ThingsKeepBodyInput | undefined\n')
  expect(operations).toContain('keep(args: ThingsKeepArguments): Promise<DataResult<ThingsKeepBody>>')
})
