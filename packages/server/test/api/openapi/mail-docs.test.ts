/** The examples of docs/mail.md, run as written, with the address, key and ids of the test. */
import { mkdtempDisposable, readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { limits } from '@waypost/contract'
import { providers } from '@waypost/providers/registry'
import { runGuide } from '@waypost/testing/guide-shell'
import { expect, test } from 'vitest'
import { openService } from '../../harness.ts'
import { createMailbox, mailProvider, messageOf } from '../pipeline/mail-provider.ts'

const root = new URL('../../../../../', import.meta.url)
const page = await readFile(new URL('docs/mail.md', root), 'utf8')

test('the calls of docs/mail.md run in order, and every one succeeds', async (context) => {
  const mailbox = createMailbox()
  for (const id of ['m1', 'm2']) mailbox.messages.set(id, messageOf(id))
  const imap = mailProvider(() => mailbox)
  await using service = await openService({ overrides: { providers: { ...providers, imap } } })
  await using folder = await mkdtempDisposable(path.join(tmpdir(), 'waypost-mail-'))
  const base = await service.listen()
  const blocks = Array.from(page.matchAll(/```sh\n([\s\S]*?)```/g), (match) => match[1] ?? '')
  expect(blocks.length).toBeGreaterThan(5)
  const script = blocks
    .join('\n')
    .replace('export WAYPOST_API_KEY=…', '')
    .replaceAll('http://127.0.0.1:3000', base)
    .replaceAll('$WAYPOST_API_KEY', service.apiKey)
    .replace('export GRANT=…', 'export GRANT=mira@example.com')
    .replace('export MESSAGE=… ATTACHMENT=…', 'export MESSAGE=m2 ATTACHMENT=a')
    .replace('export MESSAGE=…', 'export MESSAGE=m1')
    .replace('export FOLDER=…', 'export FOLDER="id of Receipts"')
  const answers = (await runGuide(context, script, { cwd: folder.path })).split('\n').filter((line) => line !== '')
  // The download prints nothing.
  expect(answers).toHaveLength(Array.from(script.matchAll(/^call /gm)).length - 1)
  for (const answer of answers.map((line) => JSON.parse(line))) {
    expect(answer).toHaveProperty('request_id')
    expect(answer).not.toHaveProperty('error')
  }
  expect(await readFile(path.join(folder.path, 'attachment.bin'), 'utf8')).toBe('hello, world')
  expect(mailbox.messages.has('m1')).toBe(false)
})

test('docs/mail.md has the figures of the contract', () => {
  const { metadataPairs, metadataKeyLength, metadataValueLength, cleanMessages, threadPageMax, pageMax } = limits
  for (const text of [
    `Up to ${metadataPairs} pairs`,
    `keys up to ${metadataKeyLength} characters, values up to ${metadataValueLength}`,
    `Up to ${cleanMessages} messages`,
    `| Messages, folders | 50 | ${pageMax} |`,
    `| Threads | 20 | ${threadPageMax} |`,
    `${limits.filterAddresses} at most`,
  ]) {
    expect(page).toContain(text)
  }
})
