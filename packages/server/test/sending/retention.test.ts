/** Retention of data about sent messages, and what `waypost doctor` reports about tracking. */

import { addSendReport, listSendReports } from '@waypost/store/tables/mail/send-reports'
import { findTracked, keepTracked } from '@waypost/store/tables/mail/tracked-messages'
import { enginesFor } from '@waypost/testing/engines'
import { type TestClock, testClock } from '@waypost/testing/test-clock'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { examine } from '../../src/cli/doctor/doctor.ts'
import { readConfig } from '../../src/config.ts'
import { purgeExpired } from '../../src/housekeeping.ts'
import { openService, type TestService } from '../harness.ts'

const day = 86_400_000

describe.each(enginesFor(import.meta.url))('stored data on %s', (engine) => {
  let service: TestService
  let clock: TestClock
  let at: { applicationId: string; grantId: string }
  beforeAll(async () => {
    clock = testClock()
    service = await openService({ engine, overrides: { clock } })
    const { id: applicationId, key } = await service.createApplication()
    at = { applicationId, grantId: (await service.createGrant('mira@example.com', key)).id }
  })
  afterAll(() => service?.[Symbol.asyncDispose]())

  test('reports expire after 90 days and tracked messages after two years', async () => {
    const { database, seals } = service.services.storage
    const report = { ...at, messageId: 'm@example.com', kind: 'bounce' as const, document: {} }
    const begun = clock.now()
    await addSendReport(database, { ...report, recipient: 'old@example.com', createdAt: begun }, seals)
    await addSendReport(database, { ...report, recipient: 'new@example.com', createdAt: begun + day }, seals)
    const options = { opens: false, links: true, thread_replies: false, label: '' }
    const links = [{ url: 'https://example.com/', seal: 'seal' }]
    for (const [sendId, now] of [
      ['old', begun],
      ['new', begun + day],
    ] as const) {
      const rows = { sendId, sender: null, options, openSeal: null, links }
      await database.transaction((tx) => keepTracked(tx, { ...at, mimeId: `${sendId}@example.com`, now }, rows, seals))
    }
    const reported = async () => (await listSendReports(database, report, seals)).map(({ recipient }) => recipient)
    const tracked = async () => [await findTracked(database, 'old', seals), await findTracked(database, 'new', seals)]

    clock.advance(90 * day)
    await purgeExpired(service.services)
    expect(await reported()).toEqual(['old@example.com', 'new@example.com'])
    clock.advance(day / 2)
    await purgeExpired(service.services)
    expect(await reported()).toEqual(['new@example.com'])
    expect(await tracked()).toEqual([expect.anything(), expect.anything()])
    clock.advance(640 * day)
    await purgeExpired(service.services)
    expect(await reported()).toEqual([])
    expect(await tracked()).toEqual([undefined, expect.anything()])
  })
})

test.each([
  ['http://127.0.0.1:3000', true],
  ['http://localhost:3000', true],
  ['http://[::1]:3000', true],
  ['https://mail.example.com', false],
])('the doctor reports whether recipients can reach the links of tracked messages at %s', async (address, dead) => {
  const { config, secrets } = readConfig({
    WAYPOST_BASE_URL: address,
    WAYPOST_DATA_DIR: '/nonexistent',
    WAYPOST_ADMIN_PASSWORD: 'only-for-this-test-1',
  })
  const found = (await examine(config, secrets)).filter(({ check }) => check === 'tracking')
  expect(found.map(({ state }) => state)).toEqual(dead ? ['warning'] : [])
})
