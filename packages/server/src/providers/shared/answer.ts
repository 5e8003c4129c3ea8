/** What a provider answered with, read: what is not of the form that it documents is an error of the provider. */
import type { z } from 'zod'
import { ApiError } from '../../lib/api-error.ts'
import { MalformedJson, type OnDropped, type Reader } from '../../lib/json-reader.ts'
import { XmlError } from '../../lib/xml.ts'

/** The JSON of a body, undefined where it is empty. */
export function jsonOf(body: Uint8Array, { name }: { name: string }): unknown {
  if (body.length === 0) return undefined
  try {
    return JSON.parse(Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString())
  } catch (cause) {
    throw new ApiError('provider_unavailable', `${name} answered with something that is no JSON; try again`, { cause })
  }
}

/** An answer as a reader of ours finds it; `name` is what the provider is called. */
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

/** Reads what a schema describes; `what` is what the value is called in errors. */
export const bySchema =
  <T>(schema: z.ZodType<T>, what: string): Reader<T> =>
  (value) => {
    const read = schema.safeParse(value)
    if (read.success) return read.data
    throw new MalformedJson(`is no ${what}`, read.error.issues[0]?.path.join('.'))
  }

/** Whether an error says that the provider's answer could not be read: the same would be answered again. */
export const isMalformed = (error: unknown): boolean =>
  error instanceof ApiError && (error.cause instanceof MalformedJson || error.cause instanceof XmlError)
