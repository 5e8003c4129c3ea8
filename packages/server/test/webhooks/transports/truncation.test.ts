/** Notifications that are too large for a broker, with limits and sizes of all kinds. */
import { randomBytes } from 'node:crypto'
import { gunzipSync, gzipSync } from 'node:zlib'
import { runs } from '@waypost/testing/level'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { fitted, named } from '../../../src/webhooks/transports/fitted.ts'
import { message } from './broker-setup.ts'

const needed = { application_id: 'a', object: { id: 'm-1', grant_id: 'g-1' } }

test('a notification is truncated to any limit that its required fields fit into, and keeps them', () => {
  const fields = fc.dictionary(fc.stringMatching(/^[a-z]{3,8}$/), fc.integer({ min: 0, max: 60_000 }), { maxKeys: 6 })
  fc.assert(
    fc.property(fields, fc.integer({ min: 600, max: 200_000 }), fc.boolean(), (sizes, room, compressed) => {
      // Random text, so that gzip does not make it small.
      const rest = Object.fromEntries(
        Object.entries(sizes).map(([name, size]) => [name, randomBytes(size).toString('hex')]),
      )
      const json = Buffer.from(
        JSON.stringify({ type: 'message.created', data: { ...needed, object: { ...rest, ...needed.object } } }),
      )
      const body = compressed ? gzipSync(json) : json
      const sent = fitted(message('n', { body, compressed }), room)
      expect(sent?.body.length).toBeLessThanOrEqual(room)
      const text = sent && (compressed ? gunzipSync(sent.body) : sent.body)
      const { type, data } = JSON.parse(`${text}`)
      expect([type, data]).toMatchObject([sent?.type, needed])
      expect(type).toBe(body.length <= room ? 'message.created' : 'message.created.truncated')
    }),
    { numRuns: runs(100) },
  )
})

test('a truncated notification goes to the subject of its trigger', () => {
  expect(named('a.{type}', 'message.created.truncated')).toBe('a.message.created')
  expect(named('a.{type}', 'message.created.metadata')).toBe('a.message.created.metadata')
})
