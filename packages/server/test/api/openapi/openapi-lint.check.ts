import SwaggerParser from '@apidevtools/swagger-parser'
import { describe, expect, test } from 'vitest'
import { redoclyExceptions } from './openapi-exceptions.ts'
import { document, redocly, unsettled } from './openapi-lint.ts'

describe('the OpenAPI document', () => {
  test('is valid for swagger-parser, and every reference resolves', async () => {
    await SwaggerParser.validate(structuredClone(document) as never)
    const broken = structuredClone(document) as { components: { parameters: Record<string, unknown> } }
    delete broken.components.parameters.IdempotencyKey
    await expect(SwaggerParser.validate(broken as never)).rejects.toThrow('IdempotencyKey')
  })

  test("follows redocly's recommended rules, and its examples fit its schemas", async () => {
    expect(unsettled(await redocly(document), redoclyExceptions)).toEqual([])
  })

  test('is reported where an example does not fit', async () => {
    const wrong = structuredClone(document) as unknown as {
      paths: Record<string, object>
      components: { examples: Record<string, { value: object }> }
    }
    // One path is enough, and takes a hundredth of the time.
    const path = '/v3/grants/{grant_id}/calendars/{calendar_id}'
    wrong.paths = { [path]: wrong.paths[path] ?? {} }
    Object.assign(wrong.components.examples['calendars.get.response']?.value ?? {}, { data: { id: 7 } })
    const findings = await redocly(wrong)
    expect(findings.map(({ rule }) => rule)).toContain('no-invalid-media-type-examples')
  })
})
