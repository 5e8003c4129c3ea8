/** Resumable uploads at servers that keep only a part, lose answers, or end the upload. */
import { randomBytes } from 'node:crypto'
import { ApiError } from '@waypost/platform/api-error'
import { EgressError } from '@waypost/platform/egress/error'
import { describe, expect, test } from 'vitest'
import { pieceBytes, uploadInPieces } from '../../src/google/gmail/message-upload.ts'
import type { Session } from '../../src/google/session.ts'
import type { ProviderAnswer } from '../../src/shared/exchange.ts'

const answer = (status: number, headers: Record<string, string> = {}): ProviderAnswer => ({
  status,
  header: (name) => headers[name],
  headerList: () => [],
  body: Buffer.from(status === 200 ? '{"id":"1"}' : ''),
})
const lost = (): never => {
  throw new ApiError('provider_unavailable', 'lost', { cause: new EgressError('protocol_error', 'lost') })
}
const unit = 256 * 1024

/** A server that keeps what `keep` says of each piece, and may lose its answer. */
function server(total: number, react: (call: { number: number; range: string }) => 'all' | 'part' | 'lose' | number) {
  const arrived: Buffer[] = []
  const ranges: string[] = []
  let length = 0
  let done = 0
  const continueUpload: Session['continueUpload'] = async (_address, { bytes, headers }) => {
    const range = headers['content-range'] ?? ''
    ranges.push(range)
    const how = react({ number: ranges.length, range })
    if (typeof how === 'number') return answer(how)
    const from = /^bytes (\d+)-/.exec(range)?.[1]
    if (from !== undefined && Number(from) === length) {
      const retained = Buffer.from(how === 'part' ? bytes.subarray(0, unit) : bytes)
      arrived.push(retained)
      length += retained.length
      if (length === total) done++
    }
    if (how === 'lose') return lost()
    if (length === total) return answer(200)
    return answer(308, length > 0 ? { range: `bytes=0-${length - 1}` } : {})
  }
  const session = {
    io: { signal: new AbortController().signal, accessToken: async () => 'token' },
    beginUpload: async () => 'https://gmail.test/upload',
    continueUpload,
  } as unknown as Session
  return { session, ranges, bytes: () => Buffer.concat(arrived), done: () => done }
}

const call = { method: 'POST' as const, path: 'users/me/messages/send', query: {} }
const source = randomBytes(2 * pieceBytes + 1_000)

describe('a resumable upload', () => {
  const upload = async (react: Parameters<typeof server>[1], lastMs = 60_000) => {
    const at = server(source.length, react)
    let begun = 0
    const begin = async (): Promise<void> => {
      begun = at.ranges.length
    }
    const outcome = await uploadInPieces(at.session, call, { source }, { begin, lastMs }).then(
      ({ status }) => status,
      (error: unknown) => error,
    )
    return { ...at, outcome, begun: () => begun }
  }

  test('sends pieces of a multiple of 256 KiB, and begins with the last one', async () => {
    const { outcome, bytes, ranges, begun } = await upload(() => 'all')
    expect(outcome).toBe(200)
    expect(bytes().equals(source)).toBe(true)
    expect(pieceBytes % unit).toBe(0)
    expect(ranges).toEqual([
      `bytes 0-${pieceBytes - 1}/${source.length}`,
      `bytes ${pieceBytes}-${2 * pieceBytes - 1}/${source.length}`,
      `bytes ${2 * pieceBytes}-${source.length - 1}/${source.length}`,
    ])
    expect(begun()).toBe(2)
  })

  test('continues where a server has kept only a part', async () => {
    const { outcome, bytes, ranges } = await upload(({ number }) => (number === 1 ? 'part' : 'all'))
    expect(outcome).toBe(200)
    expect(bytes().equals(source)).toBe(true)
    expect(ranges[1]).toBe(`bytes ${unit}-${pieceBytes - 1}/${source.length}`)
  })

  test('asks for the state after a lost answer, and repeats only what is missing', async () => {
    const { outcome, bytes, ranges } = await upload(({ number }) => (number === 2 ? 'lose' : 'all'))
    expect(outcome).toBe(200)
    expect(bytes().equals(source)).toBe(true)
    expect(ranges[2]).toBe(`bytes */${source.length}`)
    expect(ranges).toHaveLength(4)
  })

  test('asks for the state after the lost answer to the last piece, and sends nothing again', async () => {
    const { outcome, ranges, done } = await upload(({ number }) => (number === 3 ? 'lose' : 'all'))
    expect(outcome).toBe(200)
    expect(ranges.slice(3)).toEqual([`bytes */${source.length}`])
    expect(done()).toBe(1)
  })

  test('is given up if the server has ended it, or keeps failing', async () => {
    const ended = await upload(({ number }) => (number === 2 ? 404 : 'all'))
    expect(ended.outcome).toMatchObject({ code: 'provider_unavailable' })
    expect(ended.begun()).toBe(0)
    const full = await upload(() => 413)
    expect(full.outcome).toBeInstanceOf(ApiError)
    expect(full.ranges).toHaveLength(1)
    const late = await upload(() => 'all', 0)
    expect(late.outcome).toMatchObject({ code: 'provider_unavailable' })
    expect(late.ranges).toHaveLength(2)
  })
})
