import type { Calendar, Folder } from '@waypost/contract'
import { describe, expect, test } from 'vitest'
import { listChanges, recordedAttributes, recordedDigest } from '../../src/shared/list-changes.ts'

const folder = (id: string, fields: Partial<Folder> = {}): Folder => ({
  id,
  grant_id: 'g',
  object: 'folder',
  name: id,
  attributes: [],
  ...fields,
})
const calendar = (id: string, fields: Partial<Calendar> = {}): Calendar => ({
  ...{ id, grant_id: 'g', object: 'calendar', name: id, description: null, location: null, timezone: 'UTC' },
  ...{ hex_color: null, hex_foreground_color: null, is_owned_by_user: true, is_primary: false, read_only: false },
  metadata: {},
  ...fields,
})
const about = { grantId: 'g', happenedAt: 5 }
const short = (changes: ReturnType<typeof listChanges>) => changes.map(({ trigger, object }) => [trigger, object.id])

describe('folders', () => {
  const compare = (recorded: Record<string, object> | undefined, listed: Folder[], deleted?: string[]) =>
    listChanges({
      ...about,
      kind: 'folder',
      recorded: recorded && new Map(Object.entries(recorded)),
      listed,
      ...(deleted ? { deleted } : {}),
    })

  test('the first poll notifies nothing', () => {
    expect(compare(undefined, [folder('a')])).toEqual([])
  })

  test('created, renamed and deleted folders are notified, unchanged ones are not', () => {
    const recorded = { same: { name: 'same' }, renamed: { name: 'old' }, gone: { name: 'Gone' } }
    const changes = compare(recorded, [folder('same'), folder('renamed'), folder('new')])
    expect(short(changes)).toEqual([
      ['folder.updated', 'renamed'],
      ['folder.created', 'new'],
      ['folder.deleted', 'gone'],
    ])
    expect(changes[2]).toEqual({
      trigger: 'folder.deleted',
      object: { id: 'gone', grant_id: 'g', object: 'folder', name: 'Gone' },
      happenedAt: 5,
    })
  })

  test('a folder that moved to another parent is updated, also from or to the top', () => {
    const recorded = { a: { name: 'a', parent_id: 'p' }, b: { name: 'b', parent_id: undefined }, c: { name: 'c' } }
    const listed = [folder('a'), folder('b', { parent_id: 'p' }), folder('c', { parent_id: 'p' })]
    expect(short(compare(recorded, listed))).toEqual([
      ['folder.updated', 'a'],
      ['folder.updated', 'b'],
    ])
  })

  test('a special use counts as a change; counts and the first child do not', () => {
    const before = folder('a', { attributes: ['\\HasNoChildren'], total_count: 1 })
    const recorded = { a: { name: 'a', attributes: recordedAttributes(before) } }
    expect(compare(recorded, [folder('a', { attributes: ['\\HasChildren'], total_count: 2 })])).toEqual([])
    expect(short(compare(recorded, [folder('a', { attributes: ['\\Archive'] })]))).toEqual([['folder.updated', 'a']])
  })

  test('with a partial list only ids that the provider reports as deleted are deleted, once', () => {
    const recorded = { a: { name: 'a' }, b: { name: 'b' } }
    expect(short(compare(recorded, [folder('a')], ['b', 'b', 'never recorded']))).toEqual([['folder.deleted', 'b']])
    expect(compare(recorded, [folder('a')], [])).toEqual([])
  })
})

describe('calendars', () => {
  test.each(['name', 'description', 'location', 'timezone'] as const)('another %s is a change', (field) => {
    const recorded = new Map([['a', { digest: recordedDigest(calendar('a')) }]])
    const changes = listChanges({ ...about, kind: 'calendar', recorded, listed: [calendar('a', { [field]: 'x' })] })
    expect(short(changes)).toEqual([['calendar.updated', 'a']])
  })

  test('another color is no change', () => {
    const recorded = new Map([['a', { digest: recordedDigest(calendar('a')) }]])
    const listed = [calendar('a', { hex_color: '#ff0000', read_only: true })]
    expect(listChanges({ ...about, kind: 'calendar', recorded, listed })).toEqual([])
  })

  test('only the recorded fields are compared', () => {
    const recorded = new Map([['a', { name: 'a' }]])
    const listed = [calendar('a', { description: 'x' })]
    expect(listChanges({ ...about, kind: 'calendar', recorded, listed })).toEqual([])
  })
})
