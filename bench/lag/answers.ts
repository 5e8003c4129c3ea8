/** Hostile responses of a mail server. */
import type { MailServer } from '@waypost/testing/peers/mail-server'
import { type ScriptedOptions, startScriptedImap } from '@waypost/testing/peers/scripted-imap'
import { headed } from './mails.ts'
import { type Lag, startMeasured } from './measure.ts'

const many = (count: number, each: (at: number) => string): string =>
  Array.from({ length: count }, (_, at) => each(at)).join(' ')

export async function answersCases(server: MailServer): Promise<Record<string, Lag>> {
  await using node = await startMeasured({ env: {}, ca: [server.ca] })
  await node.call('POST', '/v3/connectors', { provider: 'imap' })
  const figures: Record<string, Lag> = {}
  const run = async (
    name: string,
    options: ScriptedOptions,
    { messages = 1, targets = ['messages?limit=50'], source = headed('plain') } = {},
    folders: readonly string[] = [],
  ): Promise<void> => {
    await using scripted = await startScriptedImap(options)
    for (const folder of folders) scripted.addFolder(folder)
    for (let at = 0; at < messages; at++) scripted.add(source.replace('<lag.', `<${at}.`))
    const named = { imap_username: 'mira@example.com', imap_password: 'secret', imap_host: 'localhost' }
    const settings = { ...named, imap_port: scripted.port, watch: false }
    figures[name] = await node.measure(async () => {
      const made = await node.call('POST', '/v3/connect/custom', { provider: 'imap', settings }).catch(reported)
      if (!made) return
      for (const target of targets) await node.call('GET', `/v3/grants/${made.data.id}/${target}`).catch(reported)
    })
  }
  const reported = (error: Error): undefined => void console.error(error.message.slice(0, 200))
  const large = headed('large', { body: 'x'.repeat(150_000) })
  const flags = many(10_000, (at) => `$Keyword${at}`)
  await run(
    '10,000 keywords, 50 messages',
    { item: (name) => (name === 'FLAGS' ? `FLAGS (${flags})` : undefined) },
    { messages: 50 },
  )
  const odd = many(10_000, (at) => `"Keyword ${at}"`)
  await run(
    '10,000 keywords in quotes',
    { item: (name) => (name === 'FLAGS' ? `FLAGS (${odd})` : undefined) },
    { messages: 10 },
  )
  const leaf = '("TEXT" "PLAIN" ("CHARSET" "utf-8") NIL NIL "7BIT" 1 1)'
  const wide = `BODYSTRUCTURE (${leaf.repeat(100_000)} "MIXED")`
  await run(
    'a structure of 100,000 parts',
    { item: (name) => (name === 'BODYSTRUCTURE' ? wide : undefined) },
    { source: large },
  )
  const deep = `BODYSTRUCTURE ${'('.repeat(100_000)}${leaf}${' "MIXED")'.repeat(100_000)}`
  await run(
    'a structure 100,000 deep',
    { item: (name) => (name === 'BODYSTRUCTURE' ? deep : undefined) },
    { source: large },
  )
  const person = '("P" NIL "p" "example.com")'
  const envelope = `ENVELOPE ("Mon, 01 Jun 2026 12:00:00 +0000" "s" (${person.repeat(100_000)}) NIL NIL NIL NIL NIL NIL NIL)`
  await run('an envelope nobody asked for', {
    item: (name) => (name === 'RFC822.SIZE' ? `RFC822.SIZE 100 ${envelope}` : undefined),
  })
  const numbers = many(1_000_000, (at) => `${at + 1}`)
  await run(
    'a search that finds a million',
    {
      script({ name, tag }, line) {
        if (name !== 'UID SEARCH') return false
        line.say(`* SEARCH ${numbers}`, `${tag} OK done`)
        return true
      },
    },
    { messages: 1_100, targets: ['messages?limit=50', 'messages?limit=50&unread=true'] },
  )
  await run('an answer that nobody knows', {
    script({ name }, line) {
      if (name === 'UID FETCH')
        line.say(
          `* XTHING ${'(a '.repeat(500_000)}${')'.repeat(500_000)}`,
          `* OK [XCODE ${numbers.slice(0, 3_000_000)}] x`,
        )
      return false
    },
  })
  for (const count of [15_000, 100_000]) {
    await run(
      `${count.toLocaleString('en')} folders`,
      { capabilities: ['UIDPLUS', 'IDLE', 'LIST-EXTENDED', 'LIST-STATUS', 'SPECIAL-USE'], script: listing },
      { targets: ['folders?limit=200', 'messages?limit=50'] },
      Array.from({ length: count }, (_, at) => `Folder ${at} ${'long name '.repeat(10)}`),
    )
  }
  return figures
}

/** LIST with STATUS (RFC 5819). */
const listing: ScriptedOptions['script'] = ({ name, tag, args }, line, server) => {
  if (name !== 'LIST' || !JSON.stringify(args).includes('STATUS')) return false
  line.say(
    ...server.folders.flatMap(({ path, messages }) => [
      `* LIST () "/" "${path}"`,
      `* STATUS "${path}" (MESSAGES ${messages.length} UNSEEN 0 UIDNEXT 1 UIDVALIDITY 1)`,
    ]),
    `${tag} OK done`,
  )
  return true
}
