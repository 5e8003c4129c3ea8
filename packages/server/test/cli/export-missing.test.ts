/** Unreadable messages make an export incomplete, and another attempt adds those that have become readable. */
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { ApiError } from '@waypost/platform/api-error'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { exportTasks, type Format } from '../../src/cli/export/account-export.ts'
import { resultOf } from '../../src/cli/export/command.ts'
import { newTask, type Position, readPosition, savePosition } from '../../src/cli/export/position.ts'
import type { ExportedAccount } from '../../src/exports/account.ts'
import { mboxMessages, zipEntries } from '../exports/readers.ts'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'waypost-missing-'))
})
afterEach(() => rm(folder, { recursive: true }))

const ids = ['m1', 'm2', 'm3', 'm4']
/** The reasons why messages cannot be read. */
let refused: Map<string, ApiError>
beforeEach(() => {
  const broken = new ApiError('provider_refused', 'the server does not give it out')
  refused = new Map([
    ['m2', broken],
    ['m3', new ApiError('not_found')],
    ['m4', broken],
  ])
})

const itemOf = (id: string) => ({ id, date: 1_790_000_000, folders: [], unread: false })
function get({ message_id: id, fields }: { message_id: string; fields?: string }) {
  const error = refused.get(id)
  if (error && (fields === 'raw_mime' || error.code === 'not_found')) throw error
  const raw = Buffer.from(`Subject: ${id}\r\n\r\nText\r\n`).toString('base64url')
  return fields === 'raw_mime' ? { ...itemOf(id), raw_mime: raw } : itemOf(id)
}
const account = {
  sessions: {
    operation: (_record: unknown, { operation }: { operation: string }) =>
      operation === 'list'
        ? async () => ({ items: ids.map(itemOf) })
        : async (at: Parameters<typeof get>[0]) => get(at),
  },
  use: {},
  signal: new AbortController().signal,
} as unknown as ExportedAccount

const grant = { id: 'g1', email: 'ada@example.com' }
const begin = (format: Format): Position => ({
  grant_id: grant.id,
  email: grant.email,
  begun_at: 0,
  tasks: [newTask({ kind: 'mail', format, file: format === 'eml' ? 'mail' : `mail.${format}` })],
})
const exported = (position: Position) =>
  exportTasks({ account, folder, now: () => 1_790_000_000_123.7, progress: () => undefined }, position)

test('an export that lacks messages is incomplete, and says which and why; one that was deleted is not missing', async () => {
  const { status, skipped, problems } = resultOf(grant, await exported(begin('mbox')))
  expect({ status, skipped }).toEqual({ status: 'incomplete', skipped: 2 })
  expect(problems).toEqual([
    'mail.mbox: without m2: provider_refused: the server does not give it out',
    'mail.mbox: without m4: provider_refused: the server does not give it out',
  ])
})

test('another attempt appends the messages that can be read then, each once', async () => {
  await exported(begin('mbox'))
  refused.delete('m2')
  const again = await exported(readPosition(folder) as Position)
  expect(resultOf(grant, again)).toMatchObject({ status: 'incomplete', skipped: 1 })
  refused.delete('m4')
  expect(resultOf(grant, await exported(readPosition(folder) as Position))).toMatchObject({
    status: 'complete',
    skipped: 0,
    problems: [],
  })
  await exported(readPosition(folder) as Position)
  const read = mboxMessages(await readFile(path.join(folder, 'mail.mbox')))
  expect(read.filter(({ skipped }) => skipped === null).map(({ subject }) => subject)).toEqual(['m1', 'm2', 'm4'])
  expect(read.filter(({ skipped }) => skipped !== null).map(({ skipped }) => skipped)).toEqual(['m2', 'm3', 'm4'])
})

test('another attempt at .eml files writes a zip of its own', async () => {
  await exported(begin('eml'))
  refused.clear()
  await exported(readPosition(folder) as Position)
  const entries = zipEntries(await readFile(path.join(folder, 'mail-00002.zip')))
  expect([...entries.values()].filter((source) => String(source).startsWith('Subject: m'))).toHaveLength(2)
})

test('an account that fails during another attempt still lacks its messages', async () => {
  await exported(begin('mbox'))
  for (const id of ['m2', 'm4']) refused.set(id, new ApiError('grant_invalid', 'sign in again'))
  const again = await exported(readPosition(folder) as Position)
  expect(resultOf(grant, again)).toMatchObject({ status: 'incomplete', skipped: 2 })
  expect(resultOf(grant, again).problems.at(-1)).toContain('trying again failed: grant_invalid')
})

test('the position of an export by 1.3.0 can be continued', async () => {
  const { tasks, ...position } = begin('mbox')
  savePosition(folder, { ...position, tasks: tasks.map(({ missing: _, ...task }) => task) } as unknown as Position)
  expect(readPosition(folder)?.tasks).toMatchObject([{ missing: [] }])
})
