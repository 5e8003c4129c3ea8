/** The examples of docs/calendars.md, run as written, with the address, key and id of the test. */
import { readFile } from 'node:fs/promises'
import { limits } from '@waypost/contract'
import { runGuide } from '@waypost/testing/guide-shell'
import { expect, test } from 'vitest'
import { startZoom } from '../../../../simulators/src/index.ts'
import { openService } from '../../harness.ts'
import { createZoomGrant, zoomEnv } from '../../peers/zoom.ts'

const root = new URL('../../../../../', import.meta.url)
const page = await readFile(new URL('docs/calendars.md', root), 'utf8')

test('the calls of docs/calendars.md run in order, and every one succeeds', async (context) => {
  await using zoom = await startZoom()
  await using service = await openService({ env: zoomEnv(zoom) })
  // The guide creates a Zoom meeting through the grant of this address.
  zoom.addAccount({ email: 'ada@example.com' })
  await createZoomGrant(service, zoom, { email: 'ada@example.com', key: service.apiKey })
  const base = await service.listen()
  const blocks = Array.from(page.matchAll(/```sh\n([\s\S]*?)```/g), (match) => match[1] ?? '')
  expect(blocks.length).toBeGreaterThan(5)
  const list = '/v3/grants/room-7/events?calendar_id=primary&start=1798700000&end=1806000000'
  const found = `call "${list}&title=stand-up&expand_recurring=false&select=id" | sed 's/.*"id":"\\([^"]*\\)".*/\\1/'`
  const script = blocks
    .join('\n')
    .replace('export WAYPOST_API_KEY=…', '')
    .replaceAll('http://127.0.0.1:3000', base)
    .replaceAll('$WAYPOST_API_KEY', service.apiKey)
    .replace('export SERIES=…', `export SERIES=$(${found})`)
  const answers = (await runGuide(context, script)).split('\n').filter((line) => line !== '')
  expect(answers).toHaveLength(Array.from(script.matchAll(/^call /gm)).length)
  for (const answer of answers.map((line) => JSON.parse(line))) {
    expect(answer).toHaveProperty('request_id')
    expect(answer).not.toHaveProperty('error')
  }
  const { body } = await service.call('GET', `${list}&select=title`)
  const count = (title: string): number => body.data.filter((event: { title: string }) => event.title === title).length
  // Five weeks of the first series, one of them changed and one deleted, and five of the series that continues it.
  expect([count('Stand-up'), count('Retrospective'), count('Stand-up, later')]).toEqual([3, 1, 5])
})

test('docs/calendars.md has the figures of the contract', () => {
  for (const text of [`at most ${limits.pageMax} (import: 500)`, `up to ${limits.metadataPairs} pairs of text`]) {
    expect(page).toContain(text)
  }
})
