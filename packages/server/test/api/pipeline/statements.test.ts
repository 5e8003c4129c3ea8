/** The number of store statements of a request. */

import { enginesFor } from '@waypost/testing/engines'
import { describe, expect, test } from 'vitest'
import { openService } from '../../harness.ts'

describe.each(enginesFor(import.meta.url))('on %s', (engine) => {
  test('a grant and its key are read by one statement, and a page by one more', async () => {
    await using service = await openService({ engine })
    const { id } = await service.createGrant('Room A')
    const counts = (): Map<string, number> =>
      new Map(
        Array.from(service.services.storage.database.figures.statements(), ([name, { count }]): [string, number] => [
          name,
          count,
        ]),
      )
    const requestedBy = async (path: string): Promise<string[]> => {
      const before = counts()
      expect((await service.call('GET', path)).status).toBe(200)
      const more = Array.from(counts(), ([name, count]) => ({ name, times: count - (before.get(name) ?? 0) }))
      // Statements that record requests run in the background.
      const own = more.filter(({ name }) => /^(api_keys\.holder|grants\.)/.test(name))
      return own.flatMap(({ name, times }) => Array<string>(times).fill(name))
    }
    expect(await requestedBy(`/v3/grants/${id}`)).toEqual(['api_keys.holderAndDocument'])
    expect(await requestedBy('/v3/grants/room%20a')).toEqual(['api_keys.holderAndDocumentByEmail'])
    const page = engine === 'sqlite' ? ['grants.pageRows'] : ['grants.page']
    expect(await requestedBy('/v3/grants?limit=50')).toEqual(['api_keys.holder', ...page])
  })

  test('a repeated page is complete, compressed or not, and shows every change at once', async () => {
    await using service = await openService({ engine })
    const { id } = await service.createGrant('Räume 🚪')
    const base = await service.listen()
    const page = async (encoding: string) => {
      const headers = { authorization: `Bearer ${service.apiKey}`, 'accept-encoding': encoding }
      const answer = await fetch(`${base}/v3/grants?limit=1`, { headers })
      const body: { request_id: string; data: { id: string }[]; limit: number; offset: number; next_cursor?: string } =
        JSON.parse(await answer.text())
      return { ...body, length: answer.headers.get('content-length') }
    }
    const first = await page('identity')
    expect(first.data).toMatchObject([{ id, email: 'Räume 🚪' }])
    for (const encoding of ['identity', 'gzip', 'identity']) {
      const again = await page(encoding)
      expect([again.data, again.limit, again.offset]).toEqual([first.data, 1, 0])
      expect(again.request_id).not.toBe(first.request_id)
      if (encoding === 'identity') expect(again.length).toBe(first.length)
    }
    await service.call('PATCH', `/v3/grants/${id}`, { body: { metadata: { key1: 'new' } } })
    expect((await page('identity')).data).toMatchObject([{ id, metadata: { key1: 'new' } }])
    const { id: second } = await service.createGrant('Room B')
    const changed = await page('identity')
    expect([changed.data[0]?.id, typeof changed.next_cursor]).toEqual([second, 'string'])
    const next = await service.call('GET', `/v3/grants?limit=1&page_token=${changed.next_cursor}`)
    expect(next.body.data).toMatchObject([{ id }])
    expect(next.body.offset).toBe(1)
    const chosen = await service.call('GET', '/v3/grants?limit=5&select=id')
    expect(chosen.body.data).toEqual([{ id: second }, { id }])
  })
})
