/** What a request asks of the store, counted. */
import { describe, expect, test } from 'vitest'
import { engines, openService } from '../harness.ts'

describe.each(engines)('on %s', (engine) => {
  test('a grant comes with the key that it is asked with, in one statement; a page is one more', async () => {
    await using service = await openService({ engine })
    const { id } = await service.createGrant('Room A')
    const counts = (): Map<string, number> =>
      new Map(
        Array.from(service.services.database.figures.statements(), ([name, { count }]): [string, number] => [
          name,
          count,
        ]),
      )
    const askedBy = async (path: string): Promise<string[]> => {
      const before = counts()
      expect((await service.call('GET', path)).status).toBe(200)
      const more = Array.from(counts(), ([name, count]) => ({ name, times: count - (before.get(name) ?? 0) }))
      // What is noted of requests is written now and then, by nobody's request.
      const own = more.filter(({ name }) => /^(api_keys\.holder|grants\.)/.test(name))
      return own.flatMap(({ name, times }) => Array<string>(times).fill(name))
    }
    expect(await askedBy(`/v3/grants/${id}`)).toEqual(['api_keys.holderAndGrant'])
    expect(await askedBy('/v3/grants/room%20a')).toEqual(['api_keys.holderAndGrantByEmail'])
    expect(await askedBy('/v3/grants?limit=50')).toEqual(['api_keys.holder', 'grants.page'])
  })
})
