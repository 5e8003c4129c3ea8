/** The published `nylas` client, unmodified. */
import published, { NylasApiError, type NylasListResponse } from 'nylas'
import { expect } from 'vitest'

/** The package's types describe its CommonJS form, in which the class is the `default` property of this import. */
type NylasClass = typeof published.default
export const Nylas = published as unknown as NylasClass
export type Nylas = InstanceType<NylasClass>

/** Returns the error of a call that must fail. */
export const thrownBy = (call: Promise<unknown>): Promise<unknown> =>
  call.then(
    (value) => new Error(`the call succeeded: ${JSON.stringify(value)}`),
    (thrown: unknown) => thrown,
  )

/** Returns the error of a call that must fail, as the client's own class. */
export async function failureOf(call: Promise<unknown>): Promise<NylasApiError> {
  const error = await thrownBy(call)
  if (!(error instanceof NylasApiError)) throw error
  expect(error.requestId).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/)
  expect(error.requestId).toBe(error.headers?.['x-request-id'])
  expect(error.message).not.toBe('')
  return error
}

/** The pages of a list, as users iterate over it. */
export async function pagesOf<T>(
  list: PromiseLike<NylasListResponse<T>> & AsyncIterable<NylasListResponse<T>>,
): Promise<T[][]> {
  const pages: T[][] = []
  for await (const page of list) pages.push(page.data)
  return pages
}
