/** The rooms of an organization, for every provider that has them. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Account, accountOf, type Call, expectStatus, type Json } from './accounts.ts'

export interface RoomSeed {
  name: string
  capacity?: number
  building?: string
  floor?: string
  section?: string
}

export interface RoomSubject {
  name: string
  /** The directory has no floor sections, or only names and addresses. */
  lacks?: readonly ('sections' | 'details')[]
  open(): Promise<
    AsyncDisposable & {
      call: Call
      grantId: string
      email: string
      /** Puts a room into the directory, and returns its address. */
      addRoom(room: RoomSeed): string
    }
  >
}

export function describeRooms(subject: RoomSubject): void {
  const lacks = (lack: 'sections' | 'details'): boolean => subject.lacks?.includes(lack) ?? false
  describe(`rooms of ${subject.name}`, () => {
    let open: Awaited<ReturnType<RoomSubject['open']>>
    let account: Account
    let address: string
    beforeAll(async () => {
      open = await subject.open()
      account = accountOf(open.call, open)
      address = open.addRoom({ name: 'Ada', capacity: 8, building: 'Lovelace', floor: '2', section: 'East' })
      open.addRoom({ name: 'Bare' })
      open.addRoom({ name: 'Mezzanine', floor: 'M' })
      for (const name of ['Four', 'Five']) open.addRoom({ name })
    })
    afterAll(() => open?.[Symbol.asyncDispose]())

    test('have the fields of the directory, with numbers as numbers, and omit the rest', async () => {
      const { body } = expectStatus(await account.get('/resources'), 200)
      const byName = new Map<string, Json>(body.data.map((room: Json) => [room.name, room]))
      expect(byName.get('Ada')).toEqual({
        object: 'room_resource',
        grant_id: account.grantId,
        email: address,
        name: 'Ada',
        ...(lacks('details') ? {} : { building: 'Lovelace', capacity: 8, floor_name: '2', floor_number: 2 }),
        ...(lacks('sections') || lacks('details') ? {} : { floor_section: 'East' }),
      })
      expect(Object.keys(byName.get('Bare')).sort()).toEqual(['email', 'grant_id', 'name', 'object'])
      if (!lacks('details')) expect(byName.get('Mezzanine')).toMatchObject({ floor_name: 'M' })
      expect(byName.get('Mezzanine').floor_number).toBeUndefined()
      expect(body.next_cursor ?? null).toBeNull()
    })

    test('are paged, each once', async () => {
      const names: string[] = []
      let token: string | undefined
      for (let count = 0; count < 5; count += 1) {
        const { body } = expectStatus(await account.get('/resources', { limit: 2, page_token: token }), 200)
        expect(body.data.length).toBeLessThanOrEqual(2)
        names.push(...body.data.map(({ name }: Json) => name))
        token = body.next_cursor ?? undefined
        if (token === undefined) break
      }
      expect(names.sort()).toEqual(['Ada', 'Bare', 'Five', 'Four', 'Mezzanine'])
    })

    test('can be invited by their addresses', async () => {
      const event = await account.create('primary', {
        title: 'Meeting',
        when: { start_time: 1_800_000_000, end_time: 1_800_003_600 },
        resources: [{ email: address }],
      })
      expect(event.resources).toMatchObject([{ email: address }])
    })

    test('have the selected fields', async () => {
      const { body } = expectStatus(await account.get('/resources', { select: 'email', limit: 1 }), 200)
      expect(Object.keys(body.data[0])).toEqual(['email'])
    })
  })
}
