import { LargeFileUploadTask } from '@microsoft/microsoft-graph-client'
import { expect, test } from 'vitest'
import { graphRefusal, mimeMail, openGraph, pathOf } from './graph-account.ts'

const IMMUTABLE = ['Prefer', 'IdType="ImmutableId"'] as const

test('a message has the properties of Graph, and its body is rewritten or returned as text', async () => {
  await using accounts = await openGraph()
  const { ada } = accounts
  const graph = accounts.graphOf(ada)
  const html = '<p onclick="x()">Hello <b>Ada</b></p><script>alert(1)</script>'
  const { id } = ada.mail.deliver(
    mimeMail(
      { Subject: '=?utf-8?B?R3LDvMOfZQ==?=', 'Content-Type': 'text/html; charset=utf-8', Importance: 'high' },
      html,
    ),
    { at: Date.UTC(2026, 0, 2, 3, 4, 5, 678), categories: ['Red category'] },
  )
  const message = await graph.api(`/me/messages/${id}`).get()
  expect(message).toMatchObject({
    id,
    subject: 'Grüße',
    receivedDateTime: '2026-01-02T03:04:05Z',
    importance: 'high',
    isRead: false,
    isDraft: false,
    categories: ['Red category'],
    flag: { flagStatus: 'notFlagged' },
    bodyPreview: 'Hello Ada',
    from: { emailAddress: { name: 'Carol', address: 'carol@example.net' } },
    '@odata.etag': expect.stringMatching(/^W\/".+"$/),
  })
  expect(message).not.toHaveProperty('internetMessageHeaders')
  expect(message.body).toEqual({
    contentType: 'html',
    content:
      '<html><head>\r\n<meta http-equiv="Content-Type" content="text/html; charset=utf-8"></head><body><p>Hello <b>Ada</b></p></body></html>',
  })
  const text = await graph.api(`/me/messages/${id}`).header('Prefer', 'outlook.body-content-type="text"').get()
  expect(text.body).toEqual({ contentType: 'text', content: 'Hello Ada' })
  const unsafe = await graph.api(`/me/messages/${id}`).header('Prefer', 'outlook.allow-unsafe-html').get()
  expect(unsafe.body.content).toContain('alert(1)')
  const chosen = await graph.api(`/me/messages/${id}`).select('subject,internetMessageHeaders').get()
  expect(Object.keys(chosen).toSorted()).toEqual([
    '@odata.context',
    '@odata.etag',
    'id',
    'internetMessageHeaders',
    'subject',
  ])
  expect(chosen.internetMessageHeaders).toContainEqual({ name: 'Importance', value: 'high' })
  const raw: ReadableStream = await graph.api(`/me/messages/${id}/$value`).getStream()
  expect(await new Response(raw).text()).toContain('Subject: =?utf-8?B?R3LDvMOfZQ==?=')
})

test('an id changes when a message moves, and the immutable one does not', async () => {
  await using accounts = await openGraph()
  const { ada } = accounts
  const graph = accounts.graphOf(ada)
  const { id, immutableId } = ada.mail.deliver(mimeMail({}))
  expect(id.length).toBeGreaterThan(30)
  const moved = await graph.api(`/me/messages/${id}/move`).post({ destinationId: 'archive' })
  expect(moved.id).not.toBe(id)
  expect(await graphRefusal(graph.api(`/me/messages/${id}`).get())).toEqual({ status: 404, code: 'ErrorItemNotFound' })
  expect(await graphRefusal(graph.api('/me/messages/nonsense').get())).toMatchObject({ status: 400 })
  const retained = await graph
    .api(`/me/messages/${immutableId}`)
    .header(...IMMUTABLE)
    .get()
  expect(retained.id).toBe(immutableId)
  expect(retained.parentFolderId).toBe((await graph.api('/me/mailFolders/archive').get()).id)
  const copy = await graph
    .api(`/me/messages/${immutableId}/copy`)
    .header(...IMMUTABLE)
    .post({ destinationId: 'inbox' })
  expect(copy.id).not.toBe(immutableId)
  const translated = await graph.api('/me/translateExchangeIds').post({
    inputIds: [moved.id],
    sourceIdType: 'restId',
    targetIdType: 'restImmutableEntryId',
  })
  expect(translated.value).toEqual([{ sourceId: moved.id, targetId: immutableId }])
  await graph.api(`/me/messages/${moved.id}`).delete()
  expect(ada.mail.read(immutableId).folder).toBe('deleteditems')
  await graph.api(`/me/messages/${immutableId}`).delete()
  expect(ada.mail.read(immutableId).folder).toBe('recoverableitemsdeletions')
  expect((await graph.api('/me/messages').get()).value).toMatchObject([{ id: expect.not.stringMatching(immutableId) }])
})

test('messages are filtered, ordered and searched, but not all at once', async () => {
  await using accounts = await openGraph()
  const { ada, microsoft } = accounts
  const graph = accounts.graphOf(ada)
  for (let day = 1; day <= 12; day++) {
    ada.mail.deliver(
      mimeMail({ Subject: `Report ${day}`, From: day % 2 === 0 ? 'even@example.net' : 'odd@example.net' }),
      {
        at: Date.UTC(2026, 0, day),
        isRead: day < 3,
      },
    )
  }
  const subjects = (page: { value: { subject: string }[] }) => page.value.map(({ subject }) => subject)
  const first = await graph.api('/me/messages').count(true).get()
  expect(first['@odata.count']).toBe(12)
  expect(subjects(first)[0]).toBe('Report 12')
  expect(first['@odata.nextLink']).toContain('$skip=10')
  expect(subjects(await graph.api(pathOf(first['@odata.nextLink'])).get())).toEqual(['Report 2', 'Report 1'])
  const filter = "receivedDateTime ge 2026-01-03T00:00:00Z and from/emailAddress/address eq 'EVEN@example.net'"
  expect(subjects(await graph.api('/me/mailFolders/inbox/messages').filter(filter).top(2).get())).toEqual([
    'Report 12',
    'Report 10',
  ])
  const ordered = graph.api('/me/messages').filter('isRead eq true and receivedDateTime lt 2027-01-01T00:00:00Z')
  expect(await graphRefusal(ordered.orderby('receivedDateTime').get())).toEqual({
    status: 400,
    code: 'InefficientFilter',
  })
  const fitting = graph.api('/me/messages').filter('receivedDateTime lt 2027-01-01T00:00:00Z and isRead eq true')
  expect(subjects(await fitting.orderby('receivedDateTime').get())).toEqual(['Report 1', 'Report 2'])
  const byRecipient = graph.api('/me/messages').filter("toRecipients/any(r:r/emailAddress/address eq 'x')")
  expect(await graphRefusal(byRecipient.get())).toMatchObject({ code: 'ErrorInvalidUrlQueryFilter' })
  const found = await graph
    .api('/me/messages')
    .search('"from:odd@example.net received>=2026-01-05 NOT subject:7"')
    .top(2)
    .get()
  expect(subjects(found)).toEqual(['Report 11', 'Report 9'])
  expect(found['@odata.nextLink']).toContain('$skiptoken=')
  expect(subjects(await graph.api(pathOf(found['@odata.nextLink'])).get())).toEqual(['Report 5'])
  microsoft.expirePages()
  expect(await graphRefusal(graph.api(pathOf(found['@odata.nextLink'])).get())).toMatchObject({ status: 400 })
  const both = graph.api('/me/messages').search('"report"')
  expect(await graphRefusal(both.orderby('receivedDateTime').get())).toMatchObject({ code: 'SearchWithOrderBy' })
  const three = graph.api('/me/messages').search('"report"').filter('isRead eq true')
  expect(await graphRefusal(three.get())).toMatchObject({ code: 'SearchWithFilter' })
})

test('drafts are written as JSON or MIME, changed, and sent to local accounts', async () => {
  await using accounts = await openGraph()
  const { ada, grace, home } = accounts
  const graph = accounts.graphOf(ada)
  const recipients = [{ emailAddress: { address: grace.email } }]
  const draft = await graph
    .api('/me/messages')
    .header(...IMMUTABLE)
    .post({
      subject: 'First',
      body: { contentType: 'HTML', content: '<b>Hi</b>' },
      toRecipients: recipients,
      bccRecipients: [{ emailAddress: { name: 'Home', address: home.email } }],
      internetMessageHeaders: [{ name: 'x-own', value: 'yes' }],
    })
  expect(draft.internetMessageId).toMatch(/^<.+@contoso\.example>$/)
  expect(draft).toMatchObject({ isDraft: true, isRead: true, from: { emailAddress: { address: ada.email } } })
  expect(await graph.api(`/me/messages/${draft.id}`).patch({ subject: 'Second', importance: 'low' })).toMatchObject({
    subject: 'Second',
  })
  const stale = graph.api(`/me/messages/${draft.id}`).header('If-Match', draft['@odata.etag'])
  expect(await graphRefusal(stale.patch({ subject: 'Third' }))).toEqual({
    status: 412,
    code: 'ErrorIrresolvableConflict',
  })
  await graph.api(`/me/messages/${draft.id}/send`).post({})
  expect(ada.mail.read(draft.id)).toMatchObject({ folder: 'sentitems', isDraft: false, subject: 'Second' })
  const [received] = grace.mail.list()
  expect(received).toMatchObject({ folder: 'inbox', subject: 'Second', isRead: false })
  expect(Buffer.from(grace.mail.read(received?.id ?? '').raw).toString()).not.toMatch(/^bcc:/im)
  expect(home.mail.list()).toHaveLength(1)
  const mime = Buffer.from(
    mimeMail({
      From: ada.email,
      To: grace.email,
      Subject: 'Re: Second',
      'Message-ID': '<own@contoso.example>',
      References: '<x@y>',
    }),
  ).toString('base64')
  await graph.api('/me/sendMail').header('Content-Type', 'text/plain').post(mime)
  const sent = await graph.api('/me/messages').filter("internetMessageId eq '<own@contoso.example>'").get()
  expect(sent.value).toMatchObject([{ subject: 'Re: Second', isDraft: false }])
  const asDraft = await graph.api('/me/messages').header('Content-Type', 'text/plain').post(mime)
  expect(asDraft).toMatchObject({ isDraft: true, subject: 'Re: Second' })
  await graph
    .api('/me/sendMail')
    .post({ message: { subject: 'Unkept', toRecipients: recipients }, saveToSentItems: false })
  expect(ada.mail.list().map(({ subject }) => subject)).not.toContain('Unkept')
  expect(grace.mail.list().map(({ subject }) => subject)).toEqual(['Second', 'Re: Second', 'Unkept'])
})

test('read-only fields are refused by name', async () => {
  await using accounts = await openGraph()
  const { ada, grace } = accounts
  const graph = accounts.graphOf(ada)
  const { id } = ada.mail.deliver(mimeMail({}))
  const toRecipients = [{ emailAddress: { address: grace.email } }]
  const refusalOf = async (path: string, body: object) => (await graphRefusal(graph.api(path).post(body))).code
  const headers = (names: string[]) => ({ internetMessageHeaders: names.map((name) => ({ name, value: 'v' })) })
  expect(await refusalOf('/me/messages', headers(['In-Reply-To']))).toBe('InvalidInternetMessageHeader')
  expect(await refusalOf('/me/messages', headers([]))).toBe('InvalidInternetMessageHeaderCollection')
  expect(await refusalOf('/me/messages', headers(['x-1', 'x-2', 'x-3', 'x-4', 'x-5', 'x-6']))).toBe(
    'InvalidInternetMessageHeaderCollection',
  )
  expect(await refusalOf('/me/sendMail', { message: { subject: 'x' } })).toBe('ErrorInvalidRecipients')
  const from = { emailAddress: { address: grace.email } }
  expect(await refusalOf('/me/sendMail', { message: { from, toRecipients } })).toBe('ErrorSendAsDenied')
  const mime = graph.api('/me/sendMail').header('Content-Type', 'text/plain').post('not base64!')
  expect((await graphRefusal(mime)).code).toBe('ErrorMimeContentInvalidBase64String')
  const patch = async (body: object) => (await graphRefusal(graph.api(`/me/messages/${id}`).patch(body))).code
  expect(await patch({ subject: 'other' })).toBe('ErrorInvalidPropertySet')
  expect(await patch({ flag: { flagStatus: 'flagged', dueDateTime: {} } })).toBe('ErrorInvalidArgument')
  expect(await patch({ isRead: 'yes' })).toBe('RequestBodyRead')
  expect((await graphRefusal(accounts.graphOf(ada, ['Mail.Read']).api(`/me/messages/${id}`).patch({}))).code).toBe(
    'ErrorAccessDenied',
  )
  const basic = await accounts.graphOf(ada, ['Mail.ReadBasic']).api(`/me/messages/${id}`).get()
  expect(basic).not.toHaveProperty('body')
  expect(basic).not.toHaveProperty('bodyPreview')
})

test('replies and their drafts are in the conversation of the original', async () => {
  await using accounts = await openGraph()
  const { ada } = accounts
  const graph = accounts.graphOf(ada)
  const first = ada.mail.deliver(mimeMail({ Subject: 'Plan', 'Message-ID': '<1@x>' }))
  const second = ada.mail.deliver(mimeMail({ Subject: 'Re: Plan', 'In-Reply-To': '<1@x>' }))
  const other = ada.mail.deliver(mimeMail({ Subject: 'Other', 'In-Reply-To': '<1@x>' }))
  expect(second.conversationId).toBe(first.conversationId)
  expect(other.conversationId).not.toBe(first.conversationId)
  const thread = await graph.api('/me/messages').filter(`conversationId eq '${first.conversationId}'`).get()
  expect(thread.value).toHaveLength(2)
  const reply = await graph.api(`/me/messages/${first.id}/createReply`).post({ message: { body: { content: 'Yes' } } })
  expect(reply).toMatchObject({ subject: 'RE: Plan', conversationId: first.conversationId, isDraft: true })
  expect(reply.toRecipients).toMatchObject([{ emailAddress: { address: 'carol@example.net' } }])
})

test('attachments are files, items and references, and large ones are uploaded in chunks', async () => {
  await using accounts = await openGraph()
  const { ada } = accounts
  const graph = accounts.graphOf(ada)
  const source = [
    'From: carol@example.net',
    'Subject: Files',
    'Content-Type: multipart/mixed; boundary=m',
    '',
    '--m',
    'Content-Type: multipart/related; boundary=r',
    '',
    '--r',
    'Content-Type: text/html',
    '',
    '<img src="cid:pic@x">',
    '--r',
    'Content-Type: image/png; name=pic.png',
    'Content-ID: <pic@x>',
    'Content-Disposition: inline',
    'Content-Transfer-Encoding: base64',
    '',
    'iVBORw==',
    '--r--',
    '--m',
    'Content-Type: message/rfc822',
    'Content-Disposition: attachment',
    '',
    'Subject: Inside',
    '',
    'inner',
    '--m--',
    '',
  ].join('\r\n')
  const { id } = ada.mail.deliver(source, { references: ['Shared.docx'] })
  const message = await graph.api(`/me/messages/${id}`).expand('attachments').get()
  expect(message.hasAttachments).toBe(true)
  expect(
    message.attachments.map((each: Record<string, unknown>) => [each['@odata.type'], each.name, each.isInline]),
  ).toEqual([
    ['#microsoft.graph.fileAttachment', 'pic.png', true],
    ['#microsoft.graph.itemAttachment', 'Inside', false],
    ['#microsoft.graph.referenceAttachment', 'Shared.docx', false],
  ])
  const [file, item] = message.attachments
  expect(file).toMatchObject({ contentId: 'pic@x', contentType: 'image/png', contentBytes: 'iVBORw==' })
  const opened = graph.api(`/me/messages/${id}/attachments/${item.id}`).expand('microsoft.graph.itemAttachment/item')
  expect((await opened.get()).item).toMatchObject({ subject: 'Inside' })
  const listed = await graph.api(`/me/messages/${id}/attachments`).select('name,size').get()
  expect(listed.value[0]).not.toHaveProperty('contentBytes')
  const bytes: ReadableStream = await graph.api(`/me/messages/${id}/attachments/${item.id}/$value`).getStream()
  expect(await new Response(bytes).text()).toContain('Subject: Inside')

  const draft = await graph.api('/me/messages').post({ subject: 'Large' })
  const small = { '@odata.type': '#microsoft.graph.fileAttachment', name: 'a.txt', contentBytes: 'aGk=' }
  const added = await graph.api(`/me/messages/${draft.id}/attachments`).post(small)
  expect(added).toMatchObject({ name: 'a.txt', contentType: 'text/plain' })
  await graph.api(`/me/messages/${draft.id}/attachments/${added.id}`).delete()
  const path = `/me/messages/${draft.id}/attachments/createUploadSession`
  const itemOf = (size: number) => ({ AttachmentItem: { attachmentType: 'file', name: 'big.bin', size } })
  expect(await graphRefusal(graph.api(path).post(itemOf(1000)))).toMatchObject({
    code: 'ErrorAttachmentSizeShouldNotBeLessThanMinimumSize',
  })
  const size = 4_500_000
  const content = Buffer.alloc(size, 7)
  const session = await graph.api(path).post(itemOf(size))
  const upload = { url: session.uploadUrl, expiry: new Date(session.expirationDateTime), isCancelled: false }
  const task = new LargeFileUploadTask(
    graph,
    {
      name: 'big.bin',
      size,
      content,
      sliceFile: ({ minValue, maxValue }) => new Blob([content.subarray(minValue, maxValue + 1)]).arrayBuffer(),
    },
    upload,
    { rangeSize: 2 * 1024 * 1024 },
  )
  const { location } = await task.upload()
  expect(location).toContain('/Attachments(')
  const whole = await graph.api(`/me/messages/${draft.id}/attachments`).get()
  expect(whole.value).toMatchObject([{ name: 'big.bin', contentBytes: content.toString('base64') }])
})

test('folders are nested, hidden or well known, and deleted in two steps', async () => {
  await using accounts = await openGraph()
  const { ada } = accounts
  const graph = accounts.graphOf(ada)
  const top = await graph.api('/me/mailFolders').top(50).get()
  expect(top.value.map((folder: { displayName: string }) => folder.displayName)).toEqual([
    'Archive',
    'Conversation History',
    'Deleted Items',
    'Drafts',
    'Inbox',
    'Junk Email',
    'Outbox',
    'Sent Items',
  ])
  const all = await graph.api('/me/mailFolders').query({ includeHiddenFolders: 'true' }).top(50).get()
  expect(all.value.filter(({ isHidden }: { isHidden: boolean }) => isHidden)).toHaveLength(3)
  expect((await graph.api('/me/mailFolders').query({ includeHiddenFolders: 'true' }).get()).value).toHaveLength(10)
  const parent = await graph.api('/me/mailFolders').post({ displayName: 'Projects' })
  const child = await graph.api(`/me/mailFolders/${parent.id}/childFolders`).post({ displayName: 'Engine' })
  expect(child.parentFolderId).toBe(parent.id)
  expect(await graphRefusal(graph.api('/me/mailFolders').post({ displayName: 'projects' }))).toEqual({
    status: 409,
    code: 'ErrorFolderExists',
  })
  ada.mail.deliver(mimeMail({}), { folder: child.id })
  expect(await graph.api(`/me/mailFolders/${child.id}`).get()).toMatchObject({ totalItemCount: 1, unreadItemCount: 1 })
  const expanded = await graph.api(`/me/mailFolders/${parent.id}`).expand('childFolders').get()
  expect(expanded).toMatchObject({ childFolderCount: 1, childFolders: [{ id: child.id }] })
  expect(await graph.api(`/me/mailFolders/${child.id}`).patch({ displayName: 'Loom' })).toMatchObject({
    displayName: 'Loom',
  })
  const moved = await graph.api(`/me/mailFolders/${child.id}/move`).post({ destinationId: 'inbox' })
  expect(moved.id).toBe(child.id)
  expect(await graphRefusal(graph.api("/me/mailFolders('Inbox')").delete())).toMatchObject({ status: 403 })
  await graph.api(`/me/mailFolders/${child.id}`).delete()
  const deleted = await graph.api('/me/mailFolders/deleteditems').get()
  expect((await graph.api(`/me/mailFolders/${child.id}`).get()).parentFolderId).toBe(deleted.id)
  await graph.api(`/me/mailFolders/${child.id}`).delete()
  expect(await graphRefusal(graph.api(`/me/mailFolders/${child.id}`).get())).toMatchObject({
    code: 'ErrorItemNotFound',
  })
  expect(ada.mail.list()).toEqual([])
})

test('a shared mailbox can be used by those it is shared with, and they can send from it if allowed', async () => {
  await using accounts = await openGraph()
  const { ada, grace, microsoft } = accounts
  const team = microsoft.addAccount({ email: 'team@contoso.example', name: 'Team' })
  team.mail.deliver(mimeMail({ Subject: 'To all' }))
  const graph = accounts.graphOf(ada)
  const path = `/users/${team.email}`
  expect(await graphRefusal(graph.api(`${path}/messages`).get())).toMatchObject({
    status: 403,
    code: 'ErrorAccessDenied',
  })
  team.shareWith(ada.email)
  expect((await graph.api(`${path}/messages`).get()).value).toMatchObject([{ subject: 'To all' }])
  const narrow = accounts.graphOf(ada, ['Mail.ReadWrite'])
  expect(await graphRefusal(narrow.api(`${path}/messages`).get())).toMatchObject({ status: 403 })
  const message = { subject: 'From us', toRecipients: [{ emailAddress: { address: grace.email } }] }
  expect(await graphRefusal(graph.api(`${path}/sendMail`).post({ message }))).toMatchObject({
    code: 'ErrorSendAsDenied',
  })
  team.shareWith(ada.email, { sendAs: true })
  await graph.api(`${path}/sendMail`).post({ message })
  const [received] = grace.mail.list()
  expect((await accounts.graphOf(grace).api(`/me/messages/${received?.id}`).get()).from.emailAddress.address).toBe(
    team.email,
  )
  expect(await graphRefusal(graph.api('/users/nobody@contoso.example/messages').get())).toEqual({
    status: 404,
    code: 'ErrorInvalidUser',
  })
})

test('mail to an unknown address of the organization bounces, and sending may take a while', async () => {
  await using accounts = await openGraph({ sendDelayMs: 20 })
  const { ada, microsoft } = accounts
  const message = { subject: 'Lost', toRecipients: [{ emailAddress: { address: 'nobody@contoso.example' } }] }
  await accounts.graphOf(ada).api('/me/sendMail').post({ message })
  expect(ada.mail.list()).toEqual([])
  await microsoft.settled()
  expect(ada.mail.list().map(({ subject, folder }) => [subject, folder])).toEqual([
    ['Lost', 'sentitems'],
    ['Undeliverable: Lost', 'inbox'],
  ])
})
