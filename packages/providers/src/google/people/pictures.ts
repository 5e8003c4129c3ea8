/** The pictures of contacts, which Google serves without a token. */
import { EgressError } from '@waypost/platform/egress/error'
import type { Session } from '../session.ts'

const maxBytes = 5 * 1024 * 1024

/** A picture as a data: URI; undefined if it cannot be read. */
export async function pictureOf({ io }: Session, url: string | undefined): Promise<string | undefined> {
  if (url === undefined) return undefined
  const requested = { url, method: 'GET', maxBytes: maxBytes, onOverflow: 'fail', signal: io.signal } as const
  io.calls?.add(1)
  const answer = await io.request(requested).catch((error: unknown) => {
    if (error instanceof EgressError && !io.signal.aborted) return undefined
    throw error
  })
  if (answer?.status !== 200) return undefined
  const type = /^image\/[\w.+-]+/i.exec(`${answer.headers['content-type'] ?? ''}`)?.[0] ?? 'image/jpeg'
  return `data:${type};base64,${answer.body.toString('base64')}`
}
