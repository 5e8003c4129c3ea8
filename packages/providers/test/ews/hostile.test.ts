/** Servers that are busy, old, broken, or not Exchange. */
import type { Socket } from 'node:net'
import { gzipSync } from 'node:zlib'
import { ApiError } from '@waypost/platform/api-error'
import { EgressError } from '@waypost/platform/egress/error'
import { type Heard, type Listener, openListener } from '@waypost/testing/listener'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { EwsError } from '../../src/ews/errors.ts'
import { DeleteFolder, GetFolder } from '../../src/ews/operations/folders.ts'
import { DeleteItem, GetItem, MoveItem } from '../../src/ews/operations/items.ts'
import type { Session } from '../../src/ews/session.ts'
import { distinguished, folder, item } from '../../src/ews/types/ids.ts'
import { idAnd } from '../../src/ews/types/shapes.ts'
import { isMalformed } from '../../src/shared/answer.ts'
import {
  answerOf,
  backOff,
  type EwsTestAccount,
  ewsAccount,
  failed,
  faultOf,
  folderAnswer,
  success,
} from './ews-account.ts'

interface Reply {
  status?: number
  headers?: Record<string, string>
  body?: string | Buffer
  /** Disconnects after the body. */
  cut?: boolean
}

let server: Listener
let account: EwsTestAccount
let session: Session
let clock = 0

/** The requests, without those that check how to sign in. */
const requested = (): Heard[] => server.heard.filter(({ body }) => body !== '')
const versions = (): (string | undefined)[] =>
  requested().map(({ body }) => /RequestServerVersion Version="(\w+)"/.exec(body)?.[1])

/** Replies in order; the last one repeats. */
function reply(...replies: (Reply | string | ((heard: Heard) => Reply | string))[]): void {
  let next = 0
  server.answer = (response, heard) => {
    if (heard.body === '') return void response.writeHead(401, { 'www-authenticate': 'Basic realm="x"' }).end()
    const chosen = replies[Math.min(next++, replies.length - 1)]
    const made = typeof chosen === 'function' ? chosen(heard) : chosen
    const {
      status = 200,
      headers = {},
      body = '',
      cut = false,
    } = typeof made === 'string' ? { body: made } : (made ?? {})
    if (!cut)
      return void response.writeHead(status, { 'content-type': 'text/xml; charset=utf-8', ...headers }).end(body)
    response.writeHead(status, { 'content-type': 'text/xml', 'content-length': '100000' })
    response.write(body, () => response.destroy())
  }
}

beforeAll(async () => {
  server = await openListener()
})
afterAll(() => server[Symbol.asyncDispose]())
beforeEach(async () => {
  await account?.[Symbol.asyncDispose]()
  server.heard.length = 0
  clock = 0
  account = ewsAccount({ url: server.url, now: () => clock })
  session = account.open()
})
afterAll(() => account[Symbol.asyncDispose]())

const read = () => session.call(GetFolder, { FolderShape: idAnd(), FolderIds: [distinguished('inbox')] })
const write = () => session.call(DeleteFolder, { DeleteType: 'HardDelete', FolderIds: [folder('AAA=')] })
const failureOf = async (work: Promise<unknown>): Promise<ApiError> => {
  const error = await work.then(
    () => new Error('it went well'),
    (thrown: unknown) => thrown,
  )
  if (!(error instanceof ApiError)) throw error
  return error
}
const fault = (code: string, messageXml = ''): Reply => ({ status: 500, body: faultOf(code, messageXml) })
const page = (body: string): Reply => ({ headers: { 'content-type': 'text/html' }, body })
const deleted = answerOf('DeleteFolder', success('DeleteFolder'))

test('a second response after a fault is not used for the next request', async () => {
  let faulty: Socket | null = null
  server.answer = (response, { body }) => {
    if (body === '') return void response.writeHead(401, { 'www-authenticate': 'Basic realm="x"' }).end()
    const isFault = requested().length === 2
    if (isFault) faulty = response.socket
    response.writeHead(isFault ? 500 : 200, { 'content-type': 'text/xml' })
    response.end(response.socket === faulty ? faultOf('ErrorSchemaValidation') : folderAnswer())
  }
  expect((await read()).Folders).toHaveLength(1)
  expect((await failureOf(read())).code).toBe('provider_refused')
  expect((await read()).Folders).toHaveLength(1)
})

describe('an error', () => {
  test.each<[string, Reply, string, string]>([
    ['of the password', { status: 401 }, 'grant_invalid', 'credentials'],
    [
      'of a locked account',
      { status: 401, body: '<p>The account is currently locked out.' },
      'grant_invalid',
      'account_locked',
    ],
    ['of a locked account, as 456', { status: 456 }, 'grant_invalid', 'account_locked'],
    [
      'of a disabled account',
      { status: 401, body: 'this account is currently disabled.' },
      'grant_invalid',
      'account_disabled',
    ],
    ['of an expired password', { status: 401, body: 'the password has expired.' }, 'grant_invalid', 'password_expired'],
    [
      'that it must be changed',
      { status: 401, body: "The user's password must be changed" },
      'grant_invalid',
      'password_change_required',
    ],
    ['of the service', { status: 403 }, 'provider_refused', 'forbidden'],
    ['where there is none', { status: 404 }, 'provider_refused', 'no_web_services'],
    ['of something too long', { status: 413 }, 'provider_refused', 'too_large'],
    [
      'of something too long, as IIS says it',
      { status: 404, body: 'HTTP Error 404.13' },
      'provider_refused',
      'too_large',
    ],
    ['of a mailbox that moved away', { status: 451 }, 'provider_refused', 'mailbox_elsewhere'],
    ['of a session', { status: 440 }, 'provider_refused', 'web_page'],
    [
      'by way of a login page',
      { status: 302, headers: { location: '/owa/auth/logon.aspx' } },
      'provider_refused',
      'web_page',
    ],
    ['by a login page', page('<html><form>Log in</form></html>'), 'provider_refused', 'web_page'],
    ['by a page that says it is XML', { body: '<!DOCTYPE html><html><br></html>' }, 'provider_refused', 'web_page'],
    ['by another service', { body: '<rss version="2.0"/>' }, 'provider_refused', 'not_exchange'],
    ['as a fault', fault('ErrorAccessDenied'), 'provider_refused', 'ErrorAccessDenied'],
    ['as a fault that nobody knows', fault('ErrorSomethingNew'), 'provider_refused', 'ErrorSomethingNew'],
    ['to impersonate', fault('ErrorImpersonateUserDenied'), 'provider_refused', 'ErrorImpersonateUserDenied'],
    ['of an expired password as a fault', fault('ErrorPasswordExpired'), 'grant_invalid', 'ErrorPasswordExpired'],
  ])('%s is reported, and not retried', async (_, answer, code, reason) => {
    reply(answer)
    const error = await failureOf(read())
    expect([error.code, error.details.providerError?.reason]).toEqual([code, reason])
    expect(error.message).not.toContain('<')
    // A refused login is retried on one more connection.
    expect(requested()).toHaveLength(answer.status === 401 ? 2 : 1)
  })

  test.each([
    ['ErrorItemNotFound', 'not_found'],
    ['ErrorInvalidIdMalformed', 'not_found'],
    ['ErrorIrresolvableConflict', 'conflict'],
    ['ErrorFolderExists', 'conflict'],
    ['ErrorQuotaExceeded', 'provider_refused'],
    ['ErrorSendAsDenied', 'provider_refused'],
    ['ErrorAccountDisabled', 'grant_invalid'],
  ])('inside a response keeps its code: %s', async (responseCode, code) => {
    reply(answerOf('GetFolder', failed('GetFolder', responseCode)))
    const error = await failureOf(read())
    expect(error).toBeInstanceOf(EwsError)
    expect(error).toMatchObject({ code, responseCode })
  })

  test('of one item among several is a result among the others', async () => {
    reply(
      answerOf('DeleteItem', success('DeleteItem'), failed('DeleteItem', 'ErrorItemNotFound'), success('DeleteItem')),
    )
    const answers = await session.each(DeleteItem, {
      DeleteType: 'HardDelete',
      ItemIds: [item('A'), item('B'), item('C')],
    })
    expect(answers).toMatchObject([{}, { responseCode: 'ErrorItemNotFound' }, {}])
  })

  test('that is a warning comes with the requested data', async () => {
    const content = '<m:Folders><t:Folder><t:DisplayName>W</t:DisplayName></t:Folder></m:Folders>'
    reply(answerOf('GetFolder', failed('GetFolder', 'ErrorNameResolutionMultipleResults', content, 'Warning')))
    expect((await read()).Folders?.[0]?.DisplayName).toBe('W')
  })
})

describe('a transient failure', () => {
  test.each<[string, Reply]>([
    ['a gateway that does not reach it', { status: 502, body: 'bad gateway' }],
    ['a page of errors', { status: 302, headers: { location: 'https://mail.example/EWS/genericerrorpage.htm?x' } }],
    ['a mailbox that is to be tried again', { status: 449 }],
    ['a mailbox that moves', fault('ErrorMailboxMoveInProgress')],
    ['a connection that breaks', { body: '<s:Envelope', cut: true }],
  ])('is retried for reads, and not for changes: %s', async (_, answer) => {
    reply(answer, folderAnswer())
    expect((await read()).Folders?.[0]?.DisplayName).toBe('Inbox')
    expect(requested()).toHaveLength(2)
    server.heard.length = 0
    reply(answer, deleted)
    expect((await failureOf(write())).code).toBe('provider_unavailable')
    expect(requested()).toHaveLength(1)
  })

  test('inside a response is retried too', async () => {
    reply(answerOf('GetFolder', failed('GetFolder', 'ErrorMailboxStoreUnavailable')), folderAnswer())
    expect((await read()).Folders?.[0]?.DisplayName).toBe('Inbox')
  })

  test('is retried for changes too, if nothing was sent', async () => {
    reply(folderAnswer(), deleted)
    await read()
    await account.forget()
    const { connection } = account.io
    let isDown = true
    account.io.connection = (url, options) => {
      const real = connection(url, options)
      const down = isDown
      isDown = false
      const request = async () => {
        await real[Symbol.asyncDispose]()
        throw new EgressError('connect_failed', 'it is down')
      }
      return down ? Object.assign(real, { request }) : real
    }
    session = account.open()
    await write()
    expect(requested()).toHaveLength(2)
  })
})

describe('a busy server', () => {
  test('gets the request again after the delay that it requests, if that is short', async () => {
    reply(fault('ErrorServerBusy', backOff(200)), folderAnswer())
    expect((await read()).Folders?.[0]?.DisplayName).toBe('Inbox')
    expect(requested()).toHaveLength(2)
  })

  test('gets changes again too, because it did nothing', async () => {
    reply(fault('ErrorServerBusy', backOff(100)), deleted)
    await write()
    expect(requested()).toHaveLength(2)
  })

  test.each<[string, Reply]>([
    ['in a fault', fault('ErrorServerBusy', backOff(90_000))],
    [
      'inside an answer',
      {
        body: answerOf(
          'GetFolder',
          failed('GetFolder', 'ErrorServerBusy', `<m:MessageXml>${backOff(90_000)}</m:MessageXml>`),
        ),
      },
    ],
    [
      'inside an internal error',
      {
        body: answerOf(
          'GetFolder',
          failed(
            'GetFolder',
            'ErrorInternalServerError',
            `<m:MessageXml><t:Value Name="InnerErrorResponseCode">ErrorServerBusy</t:Value>${backOff(90_000)}</m:MessageXml>`,
          ),
        ),
      },
    ],
  ])('that requests a longer delay gets no request until then: %s', async (_, answer) => {
    reply(answer, folderAnswer())
    const first = await failureOf(read())
    expect([first.code, first.details.retryAfter]).toEqual(['provider_rate_limited', 90])
    clock = 60_000
    const second = await failureOf(read())
    expect([second.code, second.details.retryAfter]).toEqual(['provider_rate_limited', 30])
    expect(requested()).toHaveLength(1)
    clock = 91_000
    expect((await read()).Folders?.[0]?.DisplayName).toBe('Inbox')
  })

  test('that requests no delay, or an invalid one, gets no request for a minute', async () => {
    for (const value of ['', 'soon', '-5', '99999999999999999999']) {
      clock += 61_000
      server.heard.length = 0
      reply(fault('ErrorServerBusy', value === '' ? '' : backOff(value)), folderAnswer())
      for (let time = 0; time < 2; time++) {
        const error = await failureOf(read())
        expect([error.code, error.details.retryAfter]).toEqual(['provider_rate_limited', 60])
      }
      expect(requested()).toHaveLength(1)
    }
  })

  test('that answers 429 is recognized', async () => {
    reply({ status: 429, headers: { 'retry-after': '77' } })
    expect((await failureOf(read())).details.retryAfter).toBe(77)
  })
})

describe('the schema version', () => {
  /** A server that supports versions up to one. */
  const upTo =
    (newest: string, refusal: Reply, good: string) =>
    ({ body }: Heard): Reply | string => {
      const order = ['Exchange2010_SP1', 'Exchange2010_SP2', 'Exchange2013', 'Exchange2013_SP1']
      const version = /RequestServerVersion Version="(\w+)"/.exec(body)?.[1] ?? ''
      return order.indexOf(version) > order.indexOf(newest) ? refusal : good
    }

  test.each<[string, Reply]>([
    ['ErrorInvalidServerVersion', fault('ErrorInvalidServerVersion')],
    ['ErrorIncorrectSchemaVersion', fault('ErrorIncorrectSchemaVersion')],
    [
      'an old mailbox behind a new server',
      { body: answerOf('GetFolder', failed('GetFolder', 'ErrorInvalidSchemaVersionForMailboxVersion')) },
    ],
    ['a request that is none', fault('ErrorInvalidRequest')],
    ['a schema that it does not fit', fault('ErrorSchemaValidation')],
    ['nothing but 500', { status: 500, headers: { 'content-type': 'text/html' }, body: 'Runtime Error' }],
  ])('is lowered if a server answers with %s, and cached for its other accounts', async (_, refusal) => {
    reply(upTo('Exchange2010_SP2', refusal, folderAnswer()))
    await read()
    expect(versions()).toEqual(['Exchange2013_SP1', 'Exchange2013', 'Exchange2010_SP2'])
    expect([session.server.since('Exchange2010_SP2'), session.server.since('Exchange2013')]).toEqual([true, false])
    await read()
    expect(versions().slice(3)).toEqual(['Exchange2010_SP2'])
  })

  test('decides what is requested: the request is written again', async () => {
    reply(upTo('Exchange2010_SP1', fault('ErrorInvalidServerVersion'), deleted))
    await session.call(DeleteFolder, (known) => ({
      DeleteType: known.since('Exchange2013') ? 'HardDelete' : 'SoftDelete',
      FolderIds: [folder('A')],
    }))
    expect(requested().map(({ body }) => /DeleteType="(\w+)"/.exec(body)?.[1])).toEqual([
      'HardDelete',
      'HardDelete',
      'SoftDelete',
      'SoftDelete',
    ])
  })

  test('that is too old is reported', async () => {
    reply(fault('ErrorInvalidServerVersion'))
    const error = await failureOf(read())
    expect(error.message).toContain('too old')
    expect(versions()).toEqual(['Exchange2013_SP1', 'Exchange2013', 'Exchange2010_SP2', 'Exchange2010_SP1'])
    // The server may be repaired: the next request starts again.
    reply(folderAnswer())
    await read()
    expect(versions().at(-1)).toBe('Exchange2013_SP1')
  })

  test('that was accepted once is not lowered because of an invalid request', async () => {
    reply(folderAnswer(), fault('ErrorInvalidRequest'), { status: 500, body: 'x' }, folderAnswer())
    await read()
    expect((await failureOf(read())).code).toBe('provider_refused')
    await read()
    expect(new Set(versions())).toEqual(new Set(['Exchange2013_SP1']))
  })

  test('is not probed with a change that the server may have made', async () => {
    reply({ status: 500, body: 'Runtime Error' }, deleted)
    expect((await failureOf(write())).code).toBe('provider_unavailable')
    expect(requested()).toHaveLength(1)
  })
})

describe('a response', () => {
  test('with invalid XML characters is read without them', async () => {
    reply(folderAnswer('In\u0000b&#x1A;o&#x0;x\u001a'))
    expect((await read()).Folders?.[0]?.DisplayName).toBe('Inbox')
  })

  test('that is compressed is read', async () => {
    reply({ headers: { 'content-encoding': 'gzip' }, body: gzipSync(folderAnswer()) })
    expect((await read()).Folders?.[0]?.DisplayName).toBe('Inbox')
  })

  test.each<[string, Reply | string]>([
    ['is cut off, though whole as HTTP', folderAnswer().slice(0, -40)],
    ['has a document type', `<!DOCTYPE x [<!ENTITY a "b">]>${folderAnswer()}`],
    ['has another operation', answerOf('GetItem', success('GetItem'))],
    ['has no response messages', answerOf('GetFolder')],
    ['is XML without end', `${'<a>'.repeat(200)}`],
    ['says that it is of an encoding that nobody knows', folderAnswer().replace('utf-8', 'klingon')],
    ['is empty', ''],
  ])('that %s is a provider error, requested once', async (_, answer) => {
    reply(answer)
    const error = await failureOf(read())
    expect(error.code).toMatch(/^provider_(unavailable|refused)$/)
    expect(isMalformed(error) || error.code === 'provider_refused').toBe(true)
    expect(requested()).toHaveLength(1)
  })

  test('with one unreadable item is read without it', async () => {
    const broken = '<t:Folder><t:FolderId/></t:Folder><t:Folder><t:DisplayName>ok</t:DisplayName></t:Folder>'
    reply(answerOf('GetFolder', success('GetFolder', `<m:Folders>${broken}</m:Folders>`)))
    expect((await read()).Folders).toEqual([{ kind: 'Folder', DisplayName: 'ok' }])
    expect(account.warnings).toEqual(['Folder.FolderId.@Id is missing'])
  })

  test('longer than the limit is not read', async () => {
    const ask = { FolderShape: idAnd(), FolderIds: [distinguished('inbox')] }
    reply(folderAnswer('x'.repeat(10_000)))
    expect((await failureOf(session.call(GetFolder, ask, { maxBytes: 5_000 }))).code).toBe('provider_unavailable')
    const bomb = gzipSync(folderAnswer('x'.repeat(10_000_000)))
    reply({ headers: { 'content-encoding': 'gzip' }, body: bomb })
    expect((await failureOf(session.call(GetFolder, ask, { maxBytes: 100_000 }))).code).toBe('provider_unavailable')
    expect(requested()).toHaveLength(2)
  })

  test('that never arrives has a deadline', async () => {
    server.answer = () => {}
    const ask = { FolderShape: idAnd(), FolderIds: [distinguished('inbox')] }
    reply(folderAnswer())
    await read()
    server.answer = () => {}
    const error = await failureOf(session.call(GetFolder, ask, { deadlineMs: 200, retries: false }))
    expect(error.message).toContain('did not answer in time')
  })
})

describe('many items', () => {
  const idsIn = (body: string): string[] => Array.from(body.matchAll(/ItemId Id="(\w+)"/g), ([, id]) => id ?? '')
  const found = (id: string): string =>
    success('GetItem', `<m:Items><t:Message><t:ItemId Id="${id}"/><t:Subject>${id}</t:Subject></t:Message></m:Items>`)
  const ids = Array.from({ length: 25 }, (_, place) => `i${place}`)
  const getAll = (size = 10) =>
    session.inBatches(GetItem, ids, (some) => ({ ItemShape: idAnd(), ItemIds: some.map((id) => item(id)) }), { size })
  const subjects = (answers: Awaited<ReturnType<typeof getAll>>) =>
    answers.map((answer) => (answer instanceof EwsError ? answer.responseCode : answer.Items?.[0]?.ItemId?.Id))
  const sizes = (): number[] => requested().map(({ body }) => idsIn(body).length)

  test('are requested in batches, and returned in order', async () => {
    reply(({ body }) => answerOf('GetItem', ...idsIn(body).map(found)))
    expect(subjects(await getAll())).toEqual(ids)
    expect(sizes()).toEqual([10, 10, 5])
  })

  test('that are too many at a time are requested in smaller batches', async () => {
    reply(({ body }) =>
      idsIn(body).length > 4 ? fault('ErrorTimeoutExpired') : answerOf('GetItem', ...idsIn(body).map(found)),
    )
    expect(subjects(await getAll(25))).toEqual(ids)
    expect(sizes()).toEqual([25, 13, 7, 4, 3, 6, 3, 3, 12, 6, 3, 3, 6, 3, 3])
  })

  test('that the server left undone are requested again, without the completed ones', async () => {
    reply(({ body }) => {
      const requested = idsIn(body)
      const done = requested.slice(0, 6).map(found)
      const undone = requested.slice(6).map(() => failed('GetItem', 'ErrorBatchProcessingStopped', '', 'Warning'))
      return answerOf('GetItem', ...done, ...undone)
    })
    expect(subjects(await getAll(25))).toEqual(ids)
    expect(sizes()).toEqual([25, 19, 13, 7, 1])
  })

  test('that stay undone have their own errors', async () => {
    reply(({ body }) => answerOf('GetItem', ...idsIn(body).map(() => failed('GetItem', 'ErrorTooManyObjectsOpened'))))
    const answers = await getAll(25)
    expect(subjects(answers)).toEqual(ids.map(() => 'ErrorTooManyObjectsOpened'))
    expect(sizes().filter((size) => size === 1)).toHaveLength(25)
  })

  test('with responses for other items are an error', async () => {
    reply(({ body }) => answerOf('GetItem', ...idsIn(body).slice(1).map(found)))
    expect(isMalformed(await failureOf(getAll()))).toBe(true)
  })

  test('are changed once: a timed-out one may be done', async () => {
    const moved = success('MoveItem', '<m:Items/>')
    const stopped = failed('MoveItem', 'ErrorBatchProcessingStopped', '', 'Warning')
    const late = failed('MoveItem', 'ErrorTimeoutExpired')
    reply(answerOf('MoveItem', moved, late, stopped), answerOf('MoveItem', moved))
    const answers = await session.inBatches(MoveItem, ['a', 'b', 'c'], (some) => ({
      ToFolderId: folder('A'),
      ItemIds: some.map((id) => item(id)),
    }))
    // The one that was not started is requested again.
    expect(requested().map(({ body }) => idsIn(body))).toEqual([['a', 'b', 'c'], ['c']])
    expect(answers).toMatchObject([{}, { responseCode: 'ErrorTimeoutExpired' }, { Items: [] }])
  })
})
