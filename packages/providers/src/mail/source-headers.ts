/** Reads headers from the bytes of messages, for providers that return none or only decoded ones. */
import type { LeanMessage } from '@waypost/formats/parse-worker'
import type { SessionIo } from '../io.ts'

export interface PlainHeader {
  name: string
  value: string
}

/** Larger messages are not fetched for their headers. */
const maxBytes = 4 * 1024 * 1024

/** Headers by message id; unreadable messages are missing. */
export async function headersIn(
  { parse, signal }: Pick<SessionIo, 'parse' | 'signal'>,
  sources: ReadonlyMap<string, Uint8Array>,
): Promise<Map<string, PlainHeader[]>> {
  const small = [...sources].filter(([, source]) => source.length <= maxBytes)
  const inputs = small.map(([, source]) => ({ source, headers: true }))
  const outcomes = await parse.run<unknown, LeanMessage>('message', inputs, { signal })
  return new Map(
    small.flatMap(([id], place) => {
      const outcome = outcomes[place]
      if (!outcome?.ok || !outcome.value.headers) return []
      return [[id, outcome.value.headers.map(({ name, value }) => ({ name, value }))] as const]
    }),
  )
}

const beyondAscii = /[^\0-\x7f]/

/** Headers of every message that was transmitted. */
const isOwn = (name: string): boolean => /^(?:from|date|message-id|received)$/i.test(name)

/** Whether a provider returned the original headers; for drafts and sent messages it has none or a few. */
export const areAsWritten = (reported: readonly { name: string; value?: string | undefined }[]): boolean =>
  reported.some(({ name }) => isOwn(name)) && !reported.some(({ value = '' }) => beyondAscii.test(value))
