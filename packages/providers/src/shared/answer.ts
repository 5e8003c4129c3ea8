/** Reads answers of providers. An answer that does not have the documented form is an error of the provider. */

import { ApiError } from '@waypost/platform/api-error'
import { MalformedJson, type OnDropped, type Reader } from '@waypost/platform/json/reader'
import { unflattenJson } from '@waypost/platform/json/slices'
import { XmlError } from '@waypost/platform/xml/xml'
import type { z } from 'zod'
import type { Io } from '../io.ts'
import { smallAnswer } from './answer-threads.ts'

/**
 * The JSON of a body; undefined if it is empty. Small bodies are parsed on the main thread, others in another thread.
 */
export async function jsonOf(
  body: Uint8Array,
  { name }: { name: string },
  { answers, signal }: Pick<Io, 'answers' | 'signal'>,
): Promise<unknown> {
  if (body.length === 0) return undefined
  if (!answers || body.length <= smallAnswer) return parsedHere(body, name)
  const [outcome] = await answers.run('json', [{ body }], signal)
  if (outcome?.ok) return unflattenJson(outcome.value)
  if (outcome?.reason === 'broken') throw noJson(name, outcome.message)
  throw new ApiError('provider_unavailable', `${name} answered with more than can be read; ask for less`, {
    providerError: { reason: 'malformed_answer', message: outcome?.message ?? '' },
    cause: new MalformedJson(outcome?.message ?? 'it is too large'),
  })
}

function parsedHere(body: Uint8Array, name: string): unknown {
  try {
    return JSON.parse(Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString())
  } catch (cause) {
    throw noJson(name, cause)
  }
}

const noJson = (name: string, cause: unknown): ApiError =>
  new ApiError('provider_unavailable', `${name} answered with something that is no JSON; try again`, { cause })

/** Reads an answer; `name` is the name of the provider. */
export function readAnswer<T>(
  value: unknown,
  read: Reader<T>,
  { name, onDropped }: { name: string; onDropped: OnDropped },
): T {
  try {
    return read(value, onDropped)
  } catch (error) {
    if (!(error instanceof MalformedJson)) throw error
    throw new ApiError('provider_unavailable', `${name} answered with something that cannot be read; try again`, {
      providerError: { reason: 'malformed_answer', message: error.message },
      cause: error,
    })
  }
}

/** Reads a value with a schema; `what` names the value in errors. */
export const bySchema =
  <T>(schema: z.ZodType<T>, what: string): Reader<T> =>
  (value) => {
    const read = schema.safeParse(value)
    if (read.success) return read.data
    throw new MalformedJson(`is no ${what}`, read.error.issues[0]?.path.join('.'))
  }

/** Whether an error means that the provider's answer could not be read, so that a retry is useless. */
export const isMalformed = (error: unknown): boolean =>
  error instanceof ApiError && (error.cause instanceof MalformedJson || error.cause instanceof XmlError)
