/** Parses JSON bodies. A long one is parsed in another thread, because its escapes alone may take long. */
import { ApiError } from '@waypost/platform/api-error'
import { type ParsedJson, parseJsonBytes } from '@waypost/platform/json/guard'
import type { ParsePool } from '@waypost/platform/parsing/pool'

export interface JsonReading {
  /** Runs `json` of `sending/compose/worker.ts`; without it, everything is parsed here. */
  pool: ParsePool | undefined
  signal: AbortSignal
}

/** Bytes from which a body is parsed in a thread. */
const long = 256 * 1024

/** The parsed value, or the problem with it; undefined if the bytes are not UTF-8. */
export async function readJsonBytes(bytes: Uint8Array, { pool, signal }: JsonReading): Promise<ParsedJson | undefined> {
  if (!pool || bytes.byteLength < long) return parseJsonBytes(bytes)
  const [read] = await pool.run<object, ParsedJson | undefined>('json', [{ bytes }], { signal })
  if (read?.ok) return read.value
  if (read?.reason === 'deadline')
    throw new ApiError('service_unavailable', 'the node is too busy to read the body', { retryAfter: 5 })
  return { ok: false, problem: 'The JSON cannot be read: it takes too much memory.' }
}
