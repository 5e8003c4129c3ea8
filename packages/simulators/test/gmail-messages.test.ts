import { Readable } from 'node:stream'
import { expect, test } from 'vitest'
import { base64url, mimeMessage, openAccount, refusalOf } from './gmail-account.ts'

const userId = 'me'

const MULTIPART = [
  'From: =?UTF-8?Q?Zo=C3=AB?= <zoe@example.net>',
  'To: ada@example.com',
  'Subject: =?ISO-8859-1?Q?Gr=FC=DFe?=',
  'Message-ID: <m1@example.net>',
  'MIME-Version: 1.0',
  'Content-Type: multipart/mixed; boundary="outer"',
  '',
  '--outer',
  'Content-Type: multipart/alternative; boundary="inner"',
  '',
  '--inner',
  'Content-Type: text/plain; charset=iso-8859-1',
  'Content-Transfer-Encoding: quoted-printable',
  '',
  "Gr=FC=DFe from Ada's friend",
  '--inner',
  'Content-Type: text/html; charset=utf-8',
  '',
  '<p>Grüße</p>',
  '--inner--',
  '--outer',
  'Content-Type: application/pdf; name="bill.pdf"',
  'Content-Disposition: attachment; filename="bill.pdf"',
  'Content-Transfer-Encoding: base64',
  '',
  Buffer.from('%PDF-1.4').toString('base64'),
  '--outer',
  'Content-Type: message/rfc822',
  '',
  'Subject: inside',
  '',
  'inner text',
  '--outer--',
  '',
].join('\r\n')

test('a message is returned in its four formats', async () => {
  await using account = await openAccount()
  const { messages } = account.gmailOf(account.ada).users
  const { id, threadId } = account.ada.mail.deliver(MULTIPART, { at: 1_700_000_000_000 })
  const minimal = (await messages.get({ userId, id, format: 'minimal' })).data
  expect(minimal).toMatchObject({
    id,
    threadId,
    labelIds: ['UNREAD', 'CATEGORY_PERSONAL', 'INBOX'],
    snippet: 'Grüße from Ada&#39;s friend',
    internalDate: '1700000000000',
  })
  expect(minimal.payload).toBeUndefined()
  const raw = (await messages.get({ userId, id, format: 'raw' })).data
  expect(Buffer.from(raw.raw ?? '', 'base64url').toString()).toBe(MULTIPART)
  const metadata = (await messages.get({ userId, id, format: 'metadata', metadataHeaders: ['Subject', 'from'] })).data
  expect(metadata.payload).toEqual({
    mimeType: 'multipart/mixed',
    headers: [
      { name: 'From', value: 'Zoë <zoe@example.net>' },
      { name: 'Subject', value: 'Grüße' },
    ],
  })
})

test('the payload has parts with ids, text in UTF-8, and separate attachments', async () => {
  await using account = await openAccount()
  const { messages } = account.gmailOf(account.ada).users
  const { id } = account.ada.mail.deliver(MULTIPART)
  const { payload } = (await messages.get({ userId, id })).data
  const [alternative, pdf, inner] = payload?.parts ?? []
  const [plain, html] = alternative?.parts ?? []
  expect([payload, alternative, plain, html, pdf, inner].map((part) => part?.partId)).toEqual([
    '',
    '0',
    '0.0',
    '0.1',
    '1',
    '2',
  ])
  expect(Buffer.from(plain?.body?.data ?? '', 'base64url').toString()).toBe("Grüße from Ada's friend")
  expect(plain?.headers?.[0]?.value).toBe('text/plain; charset=iso-8859-1')
  expect(pdf).toMatchObject({ filename: 'bill.pdf', mimeType: 'application/pdf', body: { size: 8 } })
  expect(pdf?.body?.data).toBeUndefined()
  expect(inner?.parts?.[0]?.headers).toEqual([{ name: 'Subject', value: 'inside' }])
  const again = (await messages.get({ userId, id })).data.payload?.parts?.[1]?.body?.attachmentId ?? ''
  const first = pdf?.body?.attachmentId ?? ''
  expect(again).not.toBe(first)
  for (const attachmentId of [first, again]) {
    const { data } = await messages.attachments.get({ userId, messageId: id, id: attachmentId })
    expect(Buffer.from(data.data ?? '', 'base64url').toString()).toBe('%PDF-1.4')
  }
  expect(await refusalOf(messages.attachments.get({ userId, messageId: id, id: 'nonsense' }))).toMatchObject({
    status: 400,
  })
})

test('lists are newest first, in pages, without trash and spam', async () => {
  await using account = await openAccount()
  const { messages } = account.gmailOf(account.ada).users
  expect((await messages.list({ userId })).data).toEqual({ resultSizeEstimate: 0 })
  const ids = [1, 2, 3, 4, 5].map(
    (n) => account.ada.mail.deliver(mimeMessage({ Subject: `n ${n}` }), { at: n * 1000 }).id,
  )
  await messages.trash({ userId, id: ids[2] ?? '' })
  const seen: string[] = []
  let pageToken: string | undefined
  do {
    const { data } = await messages.list({ userId, maxResults: 2, pageToken })
    seen.push(...(data.messages ?? []).map(({ id }) => id ?? ''))
    pageToken = data.nextPageToken ?? undefined
  } while (pageToken !== undefined)
  expect(seen).toEqual([ids[4], ids[3], ids[1], ids[0]])
  const all = await messages.list({ userId, includeSpamTrash: true })
  expect(all.data.messages).toHaveLength(5)
  const trash = await messages.list({ userId, labelIds: ['TRASH'] })
  expect(trash.data.messages?.map(({ id }) => id)).toEqual([ids[2]])
  expect(await refusalOf(messages.list({ userId, labelIds: ['Label_9'] }))).toMatchObject({ status: 400 })
  expect(await refusalOf(messages.list({ userId, pageToken: 'x' }))).toMatchObject({ status: 400 })
})

test('labels are added and removed', async () => {
  await using account = await openAccount()
  const { messages } = account.gmailOf(account.ada).users
  const { id } = account.ada.mail.deliver(mimeMessage({}))
  const other = account.ada.mail.deliver(mimeMessage({})).id
  const star = { addLabelIds: ['STARRED'], removeLabelIds: ['UNREAD'] }
  const { data } = await messages.modify({ userId, id, requestBody: star })
  expect(data.labelIds).toEqual(['CATEGORY_PERSONAL', 'INBOX', 'STARRED'])
  await messages.batchModify({ userId, requestBody: { ids: [id, other, 'ffff'], ...star, removeLabelIds: ['INBOX'] } })
  expect(account.ada.mail.list().map(({ labels }) => labels.includes('INBOX'))).toEqual([false, false])
  const bad = [
    { addLabelIds: ['Label_404'] },
    { addLabelIds: ['SENT'] },
    {},
    { addLabelIds: ['UNREAD'], removeLabelIds: ['UNREAD'] },
  ]
  for (const requestBody of bad) {
    expect(await refusalOf(messages.modify({ userId, id, requestBody }))).toMatchObject({ status: 400 })
  }
})

test('trash leaves the inbox, untrash does not restore it, and delete is permanent', async () => {
  await using account = await openAccount()
  const { messages } = account.gmailOf(account.ada).users
  const { id } = account.ada.mail.deliver(mimeMessage({}))
  expect((await messages.trash({ userId, id })).data.labelIds).toEqual(['UNREAD', 'CATEGORY_PERSONAL', 'TRASH'])
  expect((await messages.untrash({ userId, id })).data.labelIds).toEqual(['UNREAD', 'CATEGORY_PERSONAL'])
  expect((await messages.delete({ userId, id })).status).toBe(204)
  expect(await refusalOf(messages.get({ userId, id }))).toEqual({ status: 404, reason: 'notFound' })
  expect(await refusalOf(messages.get({ userId, id: 'not-hex' }))).toMatchObject({ status: 400 })
  const rest = [1, 2].map(() => account.ada.mail.deliver(mimeMessage({})).id)
  await messages.batchDelete({ userId, requestBody: { ids: rest } })
  expect(account.ada.mail.list()).toEqual([])
})

test('sent mail has the label SENT and arrives at its recipients, without Bcc', async () => {
  await using account = await openAccount()
  const { messages } = account.gmailOf(account.ada).users
  const source = mimeMessage({
    From: 'someone@else.example',
    To: 'Bob <bob@gmail.com>',
    Bcc: 'x@example.org',
    Subject: 'Hi',
  })
  const { data } = await messages.send({ userId, requestBody: { raw: base64url(source) } })
  expect(data.labelIds).toEqual(['SENT'])
  const sent = Buffer.from(account.ada.mail.read(data.id ?? '').raw).toString()
  expect(sent).toMatch(/^Received: .* gmailapi/)
  expect(sent).toContain('Bcc: x@example.org')
  expect(sent.match(/^Message-ID: .*$/gim)).toEqual([expect.stringMatching(/@mail\.gmail\.com>/)])
  expect(sent).toContain('From: "Ada Lovelace" <ada@example.com>')
  expect(sent).toMatch(/\r\nHello$/)
  const [arrived] = account.bob.mail.list()
  expect(arrived?.labels).toContain('INBOX')
  expect(Buffer.from(account.bob.mail.read(arrived?.id ?? '').raw).toString()).not.toContain('Bcc')
  const toSelf = mimeMessage({ From: 'countess@example.com', To: 'ada@example.com' })
  const self = await messages.send({ userId, requestBody: { raw: base64url(toSelf) } })
  expect(self.data.labelIds).toEqual(['SENT', 'UNREAD', 'CATEGORY_PERSONAL', 'INBOX'])
  expect(account.ada.mail.list()).toHaveLength(2)
  const nobody = base64url('Subject: x\r\n\r\ny')
  expect(await refusalOf(messages.send({ userId, requestBody: { raw: nobody } }))).toMatchObject({ status: 400 })
  expect(await refusalOf(messages.send({ userId, requestBody: {} }))).toMatchObject({ status: 400 })
})

test('a header that is not ASCII is garbled when it is sent', async () => {
  await using account = await openAccount()
  const { messages } = account.gmailOf(account.ada).users
  const send = async (Subject: string) => {
    const { data } = await messages.send({ userId, requestBody: { raw: base64url(mimeMessage({ Subject })) } })
    const sent = await messages.get({ userId, id: data.id ?? '', format: 'metadata', metadataHeaders: ['Subject'] })
    return sent.data.payload?.headers?.[0]?.value
  }
  expect(await send('Grüße')).toBe('GrÃ¼Ã\u009fe')
  expect(await send('=?UTF-8?Q?Gr=C3=BC=C3=9Fe?=')).toBe('Grüße')
})

test('messages are uploaded as a whole, with JSON, and in chunks', async () => {
  await using account = await openAccount()
  const { google, ada, bob } = account
  const { messages } = account.gmailOf(ada).users
  const options = { rootUrl: `${google.url}/` }
  const media = {
    mimeType: 'message/rfc822',
    body: Readable.from([mimeMessage({ To: 'bob@gmail.com', Subject: 'beside' })]),
  }
  const labelIds = ['INBOX', 'STARRED']
  const inserted = await messages.insert({ userId, requestBody: { labelIds }, media }, options)
  expect(inserted.data.labelIds).toEqual(labelIds)
  const whole = { mimeType: 'message/rfc822', body: mimeMessage({ To: 'bob@gmail.com', Subject: 'whole' }) }
  await messages.send({ userId, media: whole }, options)
  expect(bob.mail.list()).toHaveLength(1)

  const { accessToken } = google.grantToken(ada.email, ['gmail.send'])
  const authorization = `Bearer ${accessToken}`
  const text = 'A line of text.\r\n'.repeat(20_000)
  const bytes = Buffer.from(`${mimeMessage({ To: 'bob@gmail.com', Subject: 'pieces' })}${text}`)
  const begun = await fetch(`${google.url}/upload/gmail/v1/users/me/messages/send?uploadType=resumable`, {
    method: 'POST',
    headers: {
      ...{ authorization, 'content-type': 'application/json' },
      ...{ 'x-upload-content-type': 'message/rfc822', 'x-upload-content-length': `${bytes.length}` },
    },
    body: '{}',
  })
  const location = begun.headers.get('location') ?? ''
  const put = async (range: string, body: Uint8Array<ArrayBuffer> = new Uint8Array()) => {
    const headers = { authorization, 'content-range': `bytes ${range}/${bytes.length}` }
    const answer = await fetch(location, { method: 'PUT', headers, body, redirect: 'manual' })
    return { status: answer.status, range: answer.headers.get('range'), text: await answer.text() }
  }
  const piece = (from: number, to: number) => put(`${from}-${to - 1}`, bytes.subarray(from, to))
  expect(await put('*')).toMatchObject({ status: 308, range: null })
  const unit = 256 * 1024
  // Only multiples of 256 KiB are kept.
  expect(await piece(0, unit + 20)).toMatchObject({ status: 308, range: `bytes=0-${unit - 1}` })
  expect(await put('*')).toMatchObject({ status: 308, range: `bytes=0-${unit - 1}` })
  expect((await put(`${unit}-${unit + 5}`, bytes.subarray(0, 3))).status).toBe(400)
  const last = await piece(unit, bytes.length)
  expect(last.status).toBe(200)
  // The answer is repeated, and the message is sent once.
  expect(await put('*')).toEqual(last)
  expect(await piece(unit, bytes.length)).toEqual(last)
  expect(bob.mail.list()).toHaveLength(2)

  const tooLarge = { authorization, 'x-upload-content-length': `${35 * 1024 * 1024 + 1}` }
  const address = `${google.url}/resumable/upload/gmail/v1/users/me/messages/send?uploadType=resumable`
  expect((await fetch(address, { method: 'POST', headers: tooLarge })).status).toBe(413)
})

test('import dates a message by its header, and insert by its arrival', async () => {
  const now = Date.parse('2026-11-15T12:00:00Z')
  await using account = await openAccount({ now: () => now })
  const { messages } = account.gmailOf(account.ada).users
  const requestBody = { raw: base64url(mimeMessage({ Date: 'Sun, 01 Feb 2015 10:00:00 +0000' })) }
  const dateOf = (id: string | null | undefined) => account.ada.mail.read(id ?? '').internalDate
  expect(dateOf((await messages.import({ userId, requestBody })).data.id)).toBe(Date.parse('2015-02-01T10:00:00Z'))
  expect(dateOf((await messages.insert({ userId, requestBody })).data.id)).toBe(now)
  const dated = await messages.insert({ userId, requestBody, internalDateSource: 'dateHeader' })
  expect(dateOf(dated.data.id)).toBe(Date.parse('2015-02-01T10:00:00Z'))
})

test('tokens allow what their scopes allow', async () => {
  await using account = await openAccount()
  const { id } = account.ada.mail.deliver(mimeMessage({}))
  const metadata = account.gmailOf(account.ada, ['gmail.metadata']).users
  expect((await metadata.messages.get({ userId, id, format: 'metadata' })).status).toBe(200)
  expect(await refusalOf(metadata.messages.get({ userId, id }))).toEqual({ status: 403, reason: 'forbidden' })
  expect(await refusalOf(metadata.messages.list({ userId, q: 'x' }))).toMatchObject({ status: 403 })
  const refused = { status: 403, reason: 'insufficientPermissions' }
  expect(await refusalOf(metadata.messages.trash({ userId, id }))).toEqual(refused)
  expect(await refusalOf(account.gmailOf(account.ada, ['gmail.modify']).users.messages.delete({ userId, id }))).toEqual(
    refused,
  )
  expect(await refusalOf(account.gmailOf(account.bob).users.getProfile({ userId: 'ada@example.com' }))).toMatchObject({
    status: 403,
  })
  const unknown = await fetch(`${account.google.url}/gmail/v1/users/me/profile`, {
    headers: { authorization: 'Bearer x' },
  })
  expect(unknown.status).toBe(401)
  expect(await unknown.json()).toMatchObject({
    error: { code: 401, status: 'UNAUTHENTICATED', errors: [{ reason: 'authError' }] },
  })
})
