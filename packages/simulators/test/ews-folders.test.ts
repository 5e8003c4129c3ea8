import { afterAll, afterEach, expect, test } from 'vitest'
import { type Answer, all, ask, codes, openExchange, texts } from './ews-account.ts'
import {
  createFolder,
  deleteFolder,
  findFolder,
  folderId,
  getFolder,
  moveFolder,
  renameFolder,
  standard,
  syncHierarchy,
} from './ews-requests.ts'

const { exchange, check, ...opened } = await openExchange()
afterEach(() => check())
afterAll(() => opened[Symbol.asyncDispose]())

const idIn = (answer: Answer): string => all(answer.body, 'FolderId')[0]?.attributes.Id ?? ''
const named = (displayName: string, kind = 'Folder', more = '') =>
  `<t:${kind}>${more}<t:DisplayName>${displayName}</t:DisplayName></t:${kind}>`
const create = async (displayName: string, kind?: string, parent = standard('msgfolderroot')) =>
  idIn(await ask(exchange, createFolder(parent, named(displayName, kind))))

test('folders are created, renamed, moved and deleted, and keep their ids', async () => {
  const id = folderId(await create('Engines'))
  const below = folderId(await create('Analytical', 'Folder', id))
  expect(codes(await ask(exchange, createFolder(standard('msgfolderroot'), named('engines'))))).toEqual([
    'ErrorFolderExists',
  ])
  expect(codes(await ask(exchange, renameFolder(id, 'Machines')))).toEqual(['NoError'])
  expect(codes(await ask(exchange, moveFolder(id, standard('inbox'))))).toEqual(['NoError'])
  expect(codes(await ask(exchange, moveFolder(id, below)))).toEqual(['ErrorMoveCopyFailed'])
  expect(codes(await ask(exchange, renameFolder(standard('inbox'), 'In')))).toEqual(['ErrorAccessDenied'])
  const moved = await ask(exchange, getFolder(id + below, { base: 'AllProperties' }))
  expect(texts(moved.body, 'DisplayName')).toEqual(['Machines', 'Analytical'])
  expect(codes(await ask(exchange, deleteFolder(id, 'MoveToDeletedItems')))).toEqual(['NoError'])
  const deleted = await ask(exchange, findFolder('Deep', { parent: 'deleteditems' }))
  expect(texts(deleted.body, 'DisplayName')).toEqual(['Machines', 'Analytical'])
  expect(codes(await ask(exchange, deleteFolder(id)))).toEqual(['NoError'])
  expect(codes(await ask(exchange, getFolder(id + below)))).toEqual(['ErrorFolderNotFound', 'ErrorFolderNotFound'])
  expect(codes(await ask(exchange, deleteFolder(standard('inbox'))))).toEqual(['ErrorDeleteDistinguishedFolder'])
})

test('a folder has the kind of its element or its class', async () => {
  const calendar = await create('Lectures', 'CalendarFolder')
  const answer = await ask(
    exchange,
    createFolder(
      standard('msgfolderroot'),
      '<t:Folder><t:FolderClass>IPF.Contact</t:FolderClass><t:DisplayName>People</t:DisplayName></t:Folder>',
    ),
  )
  expect(all(answer.body, 'ContactsFolder')).toHaveLength(1)
  const whole = await ask(exchange, getFolder(folderId(calendar), { base: 'AllProperties' }))
  expect(texts(whole.body, 'FolderClass')).toEqual(['IPF.Appointment'])
})

test('a synchronization of the hierarchy returns new, changed and deleted folders once', async () => {
  const first = await ask(exchange, syncHierarchy())
  expect(all(first.body, 'Create').length).toBeGreaterThan(10)
  const state = (answer: Answer) => texts(answer.body, 'SyncState')[0] ?? ''
  const id = folderId(await create('Sums'))
  const second = await ask(exchange, syncHierarchy(state(first)))
  expect(texts(all(second.body, 'Create')[0], 'DisplayName')).toEqual(['Sums'])
  expect(all(second.body, 'Changes')[0]?.children).toHaveLength(1)
  await ask(exchange, renameFolder(id, 'Products'))
  const third = await ask(exchange, syncHierarchy(state(second)))
  expect(texts(all(third.body, 'Update')[0], 'DisplayName')).toEqual(['Products'])
  await ask(exchange, deleteFolder(id))
  const fourth = await ask(exchange, syncHierarchy(state(third)))
  expect(all(fourth.body, 'Changes')[0]?.children.map(({ name }) => name)).toEqual(['Delete'])
  expect(all((await ask(exchange, syncHierarchy(state(fourth)))).body, 'Changes')[0]?.children).toEqual([])
  expect(codes(await ask(exchange, syncHierarchy('nonsense')))).toEqual(['ErrorInvalidSyncStateData'])
  exchange.expireSyncStates()
  expect(codes(await ask(exchange, syncHierarchy(state(fourth))))).toEqual(['ErrorInvalidSyncStateData'])
})
