import { expect, test } from 'vitest'
import { base64url, mimeMessage, openAccount, refusalOf } from './gmail-account.ts'

const userId = 'me'

test('labels have counts, names are unique, and system labels cannot be deleted', async () => {
  await using account = await openAccount()
  const { labels, messages } = account.gmailOf(account.ada).users
  const created = (
    await labels.create({ userId, requestBody: { name: 'Work/Bills', labelListVisibility: 'labelShow' } })
  ).data
  expect(created).toMatchObject({ name: 'Work/Bills', type: 'user', labelListVisibility: 'labelShow' })
  const id = created.id ?? ''
  const message = account.ada.mail.deliver(mimeMessage({})).id
  await messages.modify({ userId, id: message, requestBody: { addLabelIds: [id] } })
  expect((await labels.get({ userId, id })).data).toMatchObject({
    messagesTotal: 1,
    messagesUnread: 1,
    threadsTotal: 1,
    threadsUnread: 1,
  })
  const listed = (await labels.list({ userId })).data.labels ?? []
  expect(listed.find((label) => label.id === 'INBOX')).toEqual({ id: 'INBOX', name: 'INBOX', type: 'system' })
  expect(listed.at(-1)).not.toHaveProperty('messagesTotal')
  expect(await refusalOf(labels.create({ userId, requestBody: { name: 'work/bills' } }))).toMatchObject({ status: 409 })
  expect(await refusalOf(labels.create({ userId, requestBody: { name: 'Inbox' } }))).toMatchObject({ status: 400 })
  const color = { textColor: '#ffffff', backgroundColor: '#4a86e8' }
  expect((await labels.patch({ userId, id, requestBody: { name: 'Bills', color } })).data).toMatchObject({
    name: 'Bills',
    color,
  })
  const pink = { textColor: '#ff00ff', backgroundColor: '#4a86e8' }
  expect(await refusalOf(labels.patch({ userId, id, requestBody: { color: pink } }))).toMatchObject({ status: 400 })
  expect(await refusalOf(labels.delete({ userId, id: 'INBOX' }))).toMatchObject({ status: 400 })
  await labels.delete({ userId, id })
  expect(await refusalOf(labels.get({ userId, id }))).toMatchObject({ status: 404 })
  expect(account.ada.mail.read(message).labels).not.toContain(id)
})

test('replies join the thread of their references if the subject is the same', async () => {
  await using account = await openAccount()
  const { threads, messages } = account.gmailOf(account.ada).users
  const first = account.ada.mail.deliver(mimeMessage({ Subject: 'Plan', 'Message-ID': '<a@x>' }), { at: 1000 })
  const answer = account.ada.mail.deliver(mimeMessage({ Subject: 'RE: plan', References: '<a@x>' }), { at: 2000 })
  const other = account.ada.mail.deliver(mimeMessage({ Subject: 'Something else', 'In-Reply-To': '<a@x>' }), {
    at: 3000,
  })
  expect(answer.threadId).toBe(first.id)
  expect(other.threadId).toBe(other.id)
  const thread = (await threads.get({ userId, id: first.threadId, format: 'minimal' })).data
  expect(thread.messages?.map(({ id }) => id)).toEqual([first.id, answer.id])
  const listed = (await threads.list({ userId })).data
  expect(listed.threads?.map(({ id }) => id)).toEqual([other.id, first.id])
  const raw = (fields: Record<string, string>) =>
    base64url(mimeMessage({ From: 'ada@example.com', To: 'x@example.net', ...fields }))
  const threadId = first.threadId
  const joined = await messages.send({
    userId,
    requestBody: { threadId, raw: raw({ Subject: 'Re: Plan', 'In-Reply-To': '<a@x>', References: '<a@x>' }) },
  })
  expect(joined.data.threadId).toBe(threadId)
  const unnamed = await messages.send({ userId, requestBody: { threadId, raw: raw({ Subject: 'Re: Plan' }) } })
  expect(unnamed.data.threadId).toBe(threadId)
  const others: Record<string, string>[] = [{ Subject: 'Re: Plans' }, { Subject: 'Re: Plan', References: '<other@x>' }]
  for (const fields of others) {
    const apart = await messages.send({ userId, requestBody: { threadId, raw: raw(fields) } })
    expect(apart.data.threadId).toBe(apart.data.id)
  }
  const lost = messages.send({ userId, requestBody: { threadId: 'abcdef', raw: raw({}) } })
  expect(await refusalOf(lost)).toMatchObject({ status: 404 })
})

test('a thread is changed, trashed and deleted as a whole', async () => {
  await using account = await openAccount()
  const { threads } = account.gmailOf(account.ada).users
  const { threadId: id } = account.ada.mail.deliver(mimeMessage({ Subject: 'Plan', 'Message-ID': '<a@x>' }))
  account.ada.mail.deliver(mimeMessage({ Subject: 'Re: Plan', References: '<a@x>' }))
  const modified = await threads.modify({ userId, id, requestBody: { removeLabelIds: ['UNREAD'] } })
  expect(modified.data.messages?.some(({ labelIds }) => labelIds?.includes('UNREAD'))).toBe(false)
  await threads.trash({ userId, id })
  expect((await threads.list({ userId })).data.threads).toBeUndefined()
  await threads.untrash({ userId, id })
  expect((await threads.list({ userId })).data.threads).toHaveLength(1)
  await threads.delete({ userId, id })
  expect(await refusalOf(threads.get({ userId, id }))).toMatchObject({ status: 404 })
})

test('a draft keeps its id, gets a new message with every change, and is deleted when sent', async () => {
  await using account = await openAccount()
  const { drafts } = account.gmailOf(account.ada).users
  const raw = (subject: string) =>
    base64url(mimeMessage({ From: 'ada@example.com', To: 'bob@gmail.com', Subject: subject }))
  const created = (await drafts.create({ userId, requestBody: { message: { raw: raw('one') } } })).data
  const id = created.id ?? ''
  expect(created.message?.labelIds).toEqual(['DRAFT'])
  const updated = (await drafts.update({ userId, id, requestBody: { message: { raw: raw('two') } } })).data
  expect(updated.id).toBe(id)
  expect(updated.message?.id).not.toBe(created.message?.id)
  expect((await drafts.list({ userId })).data.drafts).toEqual([
    { id, message: { id: updated.message?.id, threadId: updated.message?.threadId } },
  ])
  const got = (await drafts.get({ userId, id })).data
  expect(got.message?.payload?.headers).toContainEqual({ name: 'Subject', value: 'two' })
  const sent = (await drafts.send({ userId, requestBody: { id } })).data
  expect(sent.labelIds).toEqual(['SENT'])
  expect(await refusalOf(drafts.get({ userId, id }))).toMatchObject({ status: 404 })
  expect(account.ada.mail.list()).toHaveLength(1)
  expect(account.bob.mail.list()).toHaveLength(1)
  const second = (await drafts.create({ userId, requestBody: { message: { raw: raw('x') } } })).data
  await drafts.delete({ userId, id: second.id ?? '' })
  expect((await drafts.list({ userId })).data.drafts).toBeUndefined()
})

test('history returns every change since an id, until it expires', async () => {
  await using account = await openAccount()
  const { users } = account.gmailOf(account.ada)
  const start = (await users.getProfile({ userId })).data.historyId ?? ''
  const message = account.ada.mail.deliver(mimeMessage({}))
  account.ada.mail.relabel(message.id, { add: ['STARRED'], remove: ['UNREAD'] })
  account.ada.mail.remove(message.id)
  const { history, historyId } = (await users.history.list({ userId, startHistoryId: start })).data
  const ref = { id: message.id, threadId: message.threadId }
  expect(history?.map(({ id: _, ...record }) => record)).toEqual([
    { messages: [ref], messagesAdded: [{ message: { ...ref, labelIds: ['UNREAD', 'CATEGORY_PERSONAL', 'INBOX'] } }] },
    {
      messages: [ref],
      labelsAdded: [
        { message: { ...ref, labelIds: ['CATEGORY_PERSONAL', 'INBOX', 'STARRED'] }, labelIds: ['STARRED'] },
      ],
    },
    {
      messages: [ref],
      labelsRemoved: [
        { message: { ...ref, labelIds: ['CATEGORY_PERSONAL', 'INBOX', 'STARRED'] }, labelIds: ['UNREAD'] },
      ],
    },
    {
      messages: [ref],
      messagesDeleted: [{ message: { ...ref, labelIds: ['CATEGORY_PERSONAL', 'INBOX', 'STARRED'] } }],
    },
  ])
  expect((await users.history.list({ userId, startHistoryId: historyId ?? '' })).data).toEqual({ historyId })
  const one = await users.history.list({
    userId,
    startHistoryId: start,
    maxResults: 1,
    historyTypes: ['labelAdded', 'messageDeleted'],
  })
  expect(one.data.history?.[0]).toHaveProperty('labelsAdded')
  const two = await users.history.list({
    userId,
    startHistoryId: start,
    pageToken: one.data.nextPageToken ?? '',
    historyTypes: ['messageDeleted'],
  })
  expect(two.data.history).toHaveLength(1)
  account.ada.mail.forgetHistory()
  expect(await refusalOf(users.history.list({ userId, startHistoryId: start }))).toEqual({
    status: 404,
    reason: 'notFound',
  })
  expect((await users.history.list({ userId, startHistoryId: historyId ?? '' })).data).toEqual({ historyId })
})

test('the send-as addresses are the account and its aliases', async () => {
  await using account = await openAccount()
  const { sendAs } = account.gmailOf(account.ada).users.settings
  const listed = (await sendAs.list({ userId })).data.sendAs ?? []
  expect(listed.map(({ sendAsEmail, isPrimary }) => [sendAsEmail, isPrimary])).toEqual([
    ['ada@example.com', true],
    ['countess@example.com', undefined],
  ])
})
