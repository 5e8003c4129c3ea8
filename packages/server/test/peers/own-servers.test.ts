/**
 * Test files share servers that are expensive to start. A file that starts its own server has a reason in this list.
 */
import { globSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const stops = 'stops the server'
const kills = 'kills the server'
const rareOptions = 'no other file has its options'

/** Test files, without their level, and the reasons why each starts its own server. */
const reasons: Record<string, string> = {
  'server/test/conformance/imap-old': rareOptions,
  'server/test/faults/brokers': kills,
  'server/test/journeys/imap/imap-changes': stops,
  'server/test/journeys/imap/imap-grants': stops,
  'server/test/journeys/imap/imap-sessions': rareOptions,
  'server/test/journeys/notifications/channel-brokers': kills,
  'server/test/peers/exim': stops,
  'server/test/peers/mail-peers': 'tests the servers themselves',
  'server/test/peers/yahoo': 'the server asks the simulator of the test about tokens',
  'server/test/webhooks/transports/amqp': kills,
}

const packages = fileURLToPath(new URL('../../..', import.meta.url))
const modules = ['dovecot', 'cyrus', 'radicale', 'browser', 'rabbitmq'].map((name) => `testing/src/peers/${name}.ts`)

test('test files share dovecot, Cyrus, Radicale, Chromium and RabbitMQ, except for the files in the table', () => {
  const starting = globSync(['*/test/**/*.ts', 'testing/src/**/*.ts'], {
    cwd: packages,
    exclude: ['**/node_modules/**'],
  })
    .filter((file) => !modules.includes(file))
    .filter((file) => {
      const code = readFileSync(`${packages}/${file}`, 'utf8')
      return /\bstart(Dovecot|Cyrus|Radicale|Browser|Rabbit)\b/.test(code)
    })
    .map((file) => file.replace(/(\.test|\.check|\.full)?\.ts$/, ''))
  const own = Object.keys(reasons)
  expect(
    starting.filter((file) => !own.includes(file) && file !== 'server/test/peers/own-servers').sort(),
    'these files start a server of their own: call sharedDovecot, sharedBrowser… instead, or add the reason',
  ).toEqual([])
  expect(
    own.filter((file) => !starting.includes(file)),
    'these files start no server any more: remove them from the table',
  ).toEqual([])
})
