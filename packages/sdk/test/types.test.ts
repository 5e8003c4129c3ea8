/** What must and must not compile; `tsc` is the test, and an unused @ts-expect-error fails it. */
import type { Connector, Grant } from '@waypost/contract'
import { expectTypeOf, test } from 'vitest'
import type { WaypostClient, WaypostFile } from '../src/index.ts'

test('calls accept exactly the input of the contract', () => {
  const calls = (waypost: WaypostClient) => {
    // @ts-expect-error the path needs grant_id
    waypost.grants.get()
    // @ts-expect-error the path needs grant_id
    waypost.grants.get({ query: {} })
    // @ts-expect-error the name is grant_id
    waypost.grants.get({ grantId: 'g' })
    // @ts-expect-error a list has no parameter in its path
    waypost.grants.list({ grant_id: 'g' })
    // @ts-expect-error no such parameter of the query
    waypost.grants.list({ query: { colour: 'red' } })
    // @ts-expect-error limit is a number
    waypost.grants.list({ query: { limit: '5' } })
    // @ts-expect-error one of a choice
    waypost.grants.list.all({ query: { order_by: 'up' } })
    // @ts-expect-error the body needs provider
    waypost.connectors.create({ body: {} })
    // @ts-expect-error no such provider
    waypost.connectors.create({ body: { provider: 'fax' } })
    // @ts-expect-error the body is required
    waypost.adminApplications.create()
    // @ts-expect-error no such field of the body
    waypost.grants.update({ grant_id: 'g', body: { colour: 'red' } })
    // @ts-expect-error a read has no body
    waypost.grants.get({ grant_id: 'g', body: {} })
    // @ts-expect-error the query needs email
    waypost.providers.detect({ query: {} })
    // @ts-expect-error a read has no Idempotency-Key
    waypost.grants.list({ idempotencyKey: 'k' })
    waypost.adminApplications.create({ body: { name: 'A' }, idempotencyKey: 'k' })
    // @ts-expect-error a whole list has no pages
    waypost.redirectUris.list.all()
    // @ts-expect-error no such route
    waypost.grants.create({})
    // @ts-expect-error nothing but a signal
    waypost.service.health({ nothing: true })

    // @ts-expect-error an attachment is found by its message
    waypost.attachments.download({ grant_id: 'g', attachment_id: 'a' })
    // @ts-expect-error a file has no data
    waypost.attachments.download({ grant_id: 'g', attachment_id: 'a', query: { message_id: 'm' } }).then((f) => f.data)

    const to = [{ email: 'a@x.test' }]
    // @ts-expect-error a message has a recipient
    waypost.messages.send({ grant_id: 'g', body: {} })
    // @ts-expect-error a message, or its fields, not both
    waypost.messages.send({ grant_id: 'g', body: { to }, mime: 'From: a' })
    // @ts-expect-error there is nothing to send
    waypost.messages.send({ grant_id: 'g' })
    // @ts-expect-error a folder takes no files
    waypost.folders.create({ grant_id: 'g', body: { name: 'n' }, files: [] })
    // @ts-expect-error a draft has fields
    waypost.drafts.create({ grant_id: 'g', mime: 'From: a' })
    // @ts-expect-error a file has a name
    waypost.drafts.create({ grant_id: 'g', body: {}, files: [{ content: 'x' }] })
    waypost.messages.send({ grant_id: 'g', mime: 'From: a', query: { fields: 'include_headers' } })
    waypost.messages.send({
      grant_id: 'g',
      body: { to },
      files: [{ filename: 'a', content: 'x' }],
      idempotencyKey: 'k',
    })
    waypost.drafts.update({ grant_id: 'g', draft_id: 'd' })

    waypost.service.health({ signal: AbortSignal.timeout(1) })
    waypost.applications.update()
    waypost.grants.list({ query: { limit: undefined, select: ['id'] } })
    waypost.redirectUris.create({ body: { url: 'https://acme.example' }, idempotencyKey: 'k' })
  }
  expectTypeOf(calls).toBeFunction()
})

test('calls return the output of the contract', () => {
  type Given<Call extends (...args: never) => unknown> = Awaited<ReturnType<Call>>
  expectTypeOf<Given<WaypostClient['grants']['get']>['data']>().toEqualTypeOf<Grant>()
  expectTypeOf<Given<WaypostClient['connectors']['list']>['data']>().toEqualTypeOf<Connector[]>()
  expectTypeOf<Given<WaypostClient['connectors']['list']>['nextCursor']>().toEqualTypeOf<string | undefined>()
  expectTypeOf<keyof Given<WaypostClient['grants']['delete']>>().toEqualTypeOf<'requestId' | 'headers'>()
  expectTypeOf<Given<WaypostClient['attachments']['download']>>().toExtend<WaypostFile>()
  expectTypeOf<ReturnType<WaypostClient['grants']['list']['all']>>().toEqualTypeOf<AsyncGenerator<Grant, void>>()
})
