import { expect, test } from 'vitest'
import { spectralExceptions } from './openapi-exceptions.ts'
import { document, spectral, unsettled } from './openapi-lint.ts'

test("the OpenAPI document follows spectral's rules", async () => {
  expect(unsettled(await spectral(document), spectralExceptions)).toEqual([])
})
