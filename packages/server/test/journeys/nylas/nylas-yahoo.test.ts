/** The published `nylas` client, unmodified, with an account at Yahoo. */

import { Nylas } from '@waypost/testing/peers/nylas'
import { NylasApiError } from 'nylas'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { noon } from '../../conformance/mail-subject.ts'
import { mimeMessage } from '../../conformance/mime-messages.ts'
import type { TestService } from '../../harness.ts'
import { everyScope, openYahoo, openYahooService, type YahooPeer, yahooConnector } from '../../peers/yahoo.ts'

describe('the nylas client and an account at Yahoo', () => {
  let peer: YahooPeer
  let service: TestService
  let nylas: Nylas
  let email: string
  let identifier: string
  beforeAll(async () => {
    peer = await openYahoo()
    service = await openYahooService(peer)
    const { key } = await service.createApplication('Yahoo')
    nylas = new Nylas({ apiKey: key, apiUri: await service.listen(), timeout: 60 })
    const { client_id: clientId, client_secret: clientSecret } = yahooConnector(peer.simulator).settings
    const made = await nylas.connectors.create({
      requestBody: { provider: 'yahoo', name: 'Yahoo', settings: { clientId, clientSecret }, scope: ['mail-w'] },
    } as unknown as Parameters<Nylas['connectors']['create']>[0])
    expect(made.data).toMatchObject({ provider: 'yahoo', settings: { clientId }, scope: ['mail-w'] })
  })
  beforeEach(async () => {
    email = (await peer.newUser()).email
    identifier = (await connect({ refreshToken: peer.simulator.grantToken(email, everyScope).refreshToken })).id
  })
  afterAll(async () => {
    await service?.[Symbol.asyncDispose]()
    await peer?.[Symbol.asyncDispose]()
  })

  const connect = async (settings: Record<string, string>) =>
    (
      await nylas.auth.customAuthentication({
        requestBody: { provider: 'yahoo', settings },
      } as unknown as Parameters<Nylas['auth']['customAuthentication']>[0])
    ).data
  const deliver = (subject: string, rest: object = {}) =>
    peer.mail.deliver(email, mimeMessage({ subject, ...rest }), { date: new Date(noon * 1000) })
  const folderIds = async (): Promise<Map<string, string>> => {
    const { data } = await nylas.folders.list({ identifier })
    return new Map(data.flatMap(({ id, attributes = [] }) => attributes.map((each) => [each, id] as const)))
  }

  test('connects with a refresh token and with an app password, and lists grants', async () => {
    const { data } = await nylas.grants.find({ grantId: identifier })
    expect(data).toMatchObject({ provider: 'yahoo', email, grantStatus: 'valid', scope: everyScope })
    const { email: username, password } = await peer.newUser()
    expect(await connect({ username, password })).toMatchObject({ provider: 'yahoo', email: username, scope: [] })
    const { data: found } = await nylas.grants.list({ queryParams: { email: username } })
    expect(found).toHaveLength(1)
    await expect(connect({ refreshToken: 'nonsense' })).rejects.toBeInstanceOf(NylasApiError)
  })

  test('lists, finds, updates and destroys messages', async () => {
    await deliver('Hello', { html: '<p>Words</p>', cc: 'Cleo <cleo@people.test>' })
    const { data } = await nylas.messages.list({ identifier })
    expect(data).toHaveLength(1)
    const messageId = data[0]?.id ?? ''
    expect(data[0]).toMatchObject({
      grantId: identifier,
      subject: 'Hello',
      from: [{ name: 'Ann', email: 'ann@people.test' }],
      cc: [{ name: 'Cleo', email: 'cleo@people.test' }],
      date: noon,
      unread: true,
      snippet: 'Words',
    })
    const { data: updated } = await nylas.messages.update({
      identifier,
      messageId,
      requestBody: { unread: false, starred: true },
    })
    expect(updated).toMatchObject({ unread: false, starred: true })
    const found = await nylas.messages.list({
      identifier,
      queryParams: { anyEmail: ['cleo@people.test', 'nobody@people.test'] },
    })
    expect(found.data.map(({ id }) => id)).toEqual([messageId])
    await nylas.messages.destroy({ identifier, messageId })
    const trash = (await folderIds()).get('\\Trash')
    expect((await nylas.messages.find({ identifier, messageId })).data.folders).toEqual([trash])
  })

  test('sends, stores drafts, and reads threads and folders', async () => {
    const { data: draft } = await nylas.drafts.create({
      identifier,
      requestBody: { subject: `Draft of ${email}`, body: 'Hello', to: [{ email: 'bob@people.test' }] },
    })
    expect((await nylas.drafts.find({ identifier, draftId: draft.id })).data.subject).toBe(`Draft of ${email}`)
    await nylas.drafts.send({ identifier, draftId: draft.id })
    const { data: sent } = await nylas.messages.send({
      identifier,
      requestBody: { subject: `Sent by ${email}`, body: 'Hello', to: [{ email: 'bob@people.test' }] },
    })
    expect(sent.id).toEqual(expect.any(String))
    const relayed = peer.mail.relayed.filter(({ from }) => from === email)
    expect(relayed).toHaveLength(2)
    expect((await nylas.threads.list({ identifier })).data.map(({ subject }) => subject).sort()).toEqual([
      `Draft of ${email}`,
      `Sent by ${email}`,
    ])
    expect([...(await folderIds()).keys()]).toEqual(
      expect.arrayContaining(['\\Inbox', '\\Drafts', '\\Sent', '\\Junk', '\\Trash', '\\Archive']),
    )
    const { data: folder } = await nylas.folders.create({ identifier, requestBody: { name: 'Letters' } })
    expect(folder.name).toBe('Letters')
  })
})
