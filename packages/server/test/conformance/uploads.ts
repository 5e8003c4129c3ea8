/** Uploaded files in drafts, for every provider: small ones, and ones that providers store in pieces. */
import { createHash, randomBytes } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import type { TestService } from '../harness.ts'
import { type Account, expectStatus, type Fields, type Json, pagesOf } from './accounts.ts'
import { folderIds, type MailAccount, type MailSubject, type OpenMail, withNewAccounts } from './mail-subject.ts'

export const digest = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex')

/** Uploads a file for an account, and completes it; returns the attachment that refers to it. */
export async function uploaded(
  service: TestService,
  account: Account,
  bytes: Buffer,
  file: Fields = { filename: 'large.bin', content_type: 'application/octet-stream' },
): Promise<{ id: string }> {
  const made = await account.post('/attachment-uploads', { size: bytes.length, ...file })
  const { attachment_id: id, url } = expectStatus(made, 201).body.data
  const put = await service.app.request(new URL(url).pathname, { method: 'PUT', body: new Uint8Array(bytes) })
  expect(put.status, await put.text()).toBe(200)
  expectStatus(await account.post(`/attachment-uploads/${id}/complete`, {}), 200)
  return { id }
}

/** The content of a file of a message. */
export async function contentOf(
  { service, key }: Pick<OpenMail, 'service' | 'key'>,
  { grant_id, id: messageId }: Json,
  file: Json,
): Promise<Buffer> {
  const path = `/v3/grants/${grant_id}/attachments/${encodeURIComponent(file.id)}/download`
  const answer = await service.app.request(`${path}?message_id=${encodeURIComponent(messageId)}`, {
    headers: { authorization: `Bearer ${key}` },
  })
  expect(answer.status).toBe(200)
  return Buffer.from(await answer.arrayBuffer())
}

export function describeUploads(subject: MailSubject): void {
  describe(`uploads of ${subject.name}`, () => {
    let account: MailAccount
    let open: OpenMail
    withNewAccounts(subject, (fresh, opened) => {
      account = fresh
      open = opened
    })
    const message = async (): Promise<Json> => {
      const [found] = (await pagesOf(account, '/messages', { in: (await folderIds(account)).drafts })).flat()
      return found
    }
    const digests = async (): Promise<Record<string, string>> => {
      const found = await message()
      const contents: Record<string, string> = {}
      for (const file of found.attachments) contents[file.filename] = digest(await contentOf(open, found, file))
      return contents
    }

    test('arrive byte for byte in drafts, next to files of the request, and replace them', async () => {
      const [small, large] = [randomBytes(1_000), randomBytes(4_000_001)]
      const text = {
        filename: 'note.txt',
        content_type: 'text/plain',
        content: Buffer.from('hello').toString('base64'),
      }
      const attachments = [
        text,
        await uploaded(open.service, account, small, { filename: 'small.bin', content_type: 'application/x-small' }),
        await uploaded(open.service, account, large),
      ]
      const made = await account.post('/drafts', { subject: 'Files', body: '<p>See files</p>', attachments })
      const { data: draft } = expectStatus(made, 200).body
      expect(await digests()).toEqual({
        'note.txt': digest(Buffer.from('hello')),
        'small.bin': digest(small),
        'large.bin': digest(large),
      })
      const other = randomBytes(3_500_000)
      const change = { attachments: [await uploaded(open.service, account, other)] }
      expectStatus(await account.put(`/drafts/${encodeURIComponent(draft.id)}`, change), 200)
      expect(await digests()).toEqual({ 'large.bin': digest(other) })
    })

    test('that are unknown or not complete are refused by name', async () => {
      const body = { subject: 'x', attachments: [{ id: 'unknown' }] }
      const refused = expectStatus(await account.post('/drafts', body), 404)
      expect(refused.body.error.message).toContain('attachments.0.id')
      const made = await account.post('/attachment-uploads', { filename: 'a', content_type: 'text/plain' })
      const { attachment_id: id } = expectStatus(made, 201).body.data
      const early = expectStatus(await account.post('/drafts', { ...body, attachments: [{ id }] }), 422)
      expect(early.body.error.type).toBe('api.upload_incomplete')
    })
  })
}
