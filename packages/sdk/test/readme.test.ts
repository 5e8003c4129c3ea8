/** Runs the examples of the README, joined into one module, and compares their output with the README. */
import { mkdtempDisposable, readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { providers } from '@waypost/providers/registry'
import { expect, test, vi } from 'vitest'
import { createFakeSending } from '../../server/test/api/pipeline/fake-sending.ts'
import { createMailbox, mailProvider, messageOf, streamOf } from '../../server/test/api/pipeline/mail-provider.ts'
import { openService } from '../../server/test/harness.ts'
import { fetchOf } from './service-client.ts'

test('the examples of the README run and print the documented output', async () => {
  const readme = await readFile(new URL('../README.md', import.meta.url), 'utf8')
  const code = [...readme.matchAll(/^```ts\n(.*?)^```$/gms)].map(([, block]) => block).join('\n')
  const promised = [...code.matchAll(/console\.log\(.*\) \/\/ (.*)$/gm)].map(([, output]) => output)

  // Its account is on a server that does not exist: its mail is in memory.
  const mailbox = createMailbox()
  const attachment = { id: 'a', grant_id: 'g', filename: 'report.pdf', content_type: 'application/pdf', size: 12 }
  mailbox.messages.set('m', messageOf('m', { subject: 'The report', attachments: [attachment] }))
  mailbox.download = () => ({
    content: streamOf('hello, world'),
    contentType: attachment.content_type,
    filename: attachment.filename,
  })
  const imap = mailProvider(() => mailbox)
  await using service = await openService({
    overrides: { providers: { ...providers, imap }, sending: createFakeSending() },
  })
  await using folder = await mkdtempDisposable(path.join(tmpdir(), 'waypost-readme-'))
  const example = path.join(folder.path, 'example.ts')
  const sdk = new URL('../src/index.ts', import.meta.url).pathname
  await writeFile(example, code.replaceAll("'@waypost/sdk'", `'${sdk}'`))

  vi.stubGlobal('fetch', fetchOf(service))
  vi.stubEnv('WAYPOST_API_KEY', service.apiKey)
  vi.stubEnv('WAYPOST_ADMIN_PASSWORD', service.adminPassword)
  vi.stubEnv('IMAP_PASSWORD', 'secret')
  vi.stubEnv('WEBHOOK_SECRET', 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw')
  const print = vi.spyOn(console, 'log').mockReturnValue()
  try {
    await import(pathToFileURL(example).href)
    expect(promised.length).toBeGreaterThan(0)
    expect(print.mock.calls.map((values) => values.map(String).join(' '))).toEqual(promised)
  } finally {
    print.mockRestore()
    vi.unstubAllGlobals()
    vi.unstubAllEnvs()
  }
})
