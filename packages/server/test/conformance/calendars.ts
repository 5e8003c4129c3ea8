/** Calendars as a client sees them, for every provider. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Account, accountOf, at, expectRefusal, expectStatus, ids, type Json, pagesOf, span } from './accounts.ts'
import type { Lack, OpenSubject, Subject } from './subject.ts'

export function describeCalendars(subject: Subject): void {
  const lacks = (lack: Lack): boolean => subject.lacks?.includes(lack) ?? false

  describe(`calendars of ${subject.name}`, () => {
    let open: OpenSubject
    let account: Account
    beforeAll(async () => {
      open = await subject.open()
      account = accountOf(open.call, open)
    })
    afterAll(() => open[Symbol.asyncDispose]())

    const list = async (): Promise<Json[]> => (await pagesOf(account, '/calendars', {})).flat()

    test('are listed with every field that clients rely on', async () => {
      const calendars = await list()
      expect(ids(calendars)).toContain(open.calendarId)
      expect(new Set(ids(calendars)).size).toBe(calendars.length)
      for (const calendar of calendars) {
        expect(calendar).toMatchObject({
          id: expect.stringMatching(/./),
          grant_id: open.grantId,
          object: 'calendar',
          name: expect.any(String),
          timezone: expect.stringMatching(/./),
          is_owned_by_user: expect.any(Boolean),
          is_primary: expect.any(Boolean),
          metadata: expect.any(Object),
        })
        expect([true, false, null]).toContain(calendar.read_only)
        expect(() => new Temporal.ZonedDateTime(0n, calendar.timezone)).not.toThrow()
      }
    })

    test('are paged, with every calendar once', async () => {
      const whole = ids(await list())
      const paged = ids((await pagesOf(account, '/calendars', { limit: 1 })).flat())
      expect(paged.toSorted()).toEqual(whole.toSorted())
    })

    test('are found by id as they are listed', async () => {
      const shown = (await list()).find(({ id }) => id === open.calendarId)
      const path = `/calendars/${encodeURIComponent(open.calendarId)}`
      expect(expectStatus(await account.get(path), 200).body.data).toEqual(shown)
      expect((await account.get(path, { select: 'id,name' })).body.data).toEqual({ id: shown.id, name: shown.name })
    })

    test.skipIf(lacks('primary'))('have one primary calendar, which `primary` finds', async () => {
      const primary = (await list()).filter((calendar) => calendar.is_primary)
      expect(primary).toHaveLength(1)
      expect((await account.get('/calendars/primary')).body.data).toEqual(primary[0])
      expectRefusal(await account.delete('/calendars/primary'))
      expectStatus(await account.get('/calendars/primary'), 200)
    })

    test('that do not exist are not found', async () => {
      const path = '/calendars/no-such-calendar'
      expectStatus(await account.get(path), 404)
      const error = (await account.get(path)).body
      expect(error).toEqual({
        request_id: expect.any(String),
        error: expect.objectContaining({ type: 'not_found_error', message: expect.stringMatching(/./) }),
      })
      if (lacks('calendar-writing')) return
      expectStatus(await account.put(path, { name: 'x' }), 404)
      expectStatus(await account.delete(path), 404)
    })

    test.skipIf(lacks('calendar-writing'))('are created, changed in part, and deleted', async () => {
      expectRefusal(await account.post('/calendars', {}), /name/)
      const fields = lacks('calendar-fields')
        ? { name: 'Made' }
        : { name: 'Made', description: 'For tests', timezone: 'Europe/Berlin' }
      const made = await account.createCalendar(fields)
      expect(made).toMatchObject({ ...fields, object: 'calendar', is_primary: false })
      const path = `/calendars/${encodeURIComponent(made.id)}`
      expect(expectStatus(await account.put(path, { name: 'Renamed' }), 200).body.data).toMatchObject({
        ...fields,
        id: made.id,
        name: 'Renamed',
      })
      expect((await account.get(path)).body.data.name).toBe('Renamed')
      expectStatus(await account.delete(path), 200)
      expectStatus(await account.get(path), 404)
      expect(ids(await list())).not.toContain(made.id)
    })

    test.skipIf(lacks('calendar-writing') || lacks('calendar-fields'))('accept existing time zones', async () => {
      expectRefusal(await account.post('/calendars', { name: 'x', timezone: 'Mars/Olympus' }), /timezone/)
    })

    test.skipIf(lacks('calendar-writing') || lacks('calendar-colours'))('accept colors', async () => {
      const { id } = await account.createCalendar()
      const path = `/calendars/${encodeURIComponent(id)}`
      const changed = expectStatus(await account.put(path, { hex_color: '#1a73e8' }), 200)
      expect(changed.body.data.hex_color?.toLowerCase()).toBe('#1a73e8')
      expectRefusal(await account.put(path, { hex_color: 'blue' }), /hex_color/)
      await account.delete(path)
    })

    test.skipIf(lacks('calendar-writing'))(
      'have metadata, which is replaced as a whole and can be filtered by',
      async () => {
        const { id } = await account.createCalendar({ metadata: { key1: 'one', note: 'x' } })
        const path = `/calendars/${encodeURIComponent(id)}`
        const find = async (pair: string) => ids((await pagesOf(account, '/calendars', { metadata_pair: pair })).flat())
        expect((await account.get(path)).body.data.metadata).toEqual({ key1: 'one', note: 'x' })
        expect(await find('key1:one')).toEqual([id])
        expect((await account.put(path, { metadata: { key2: 'two' } })).body.data.metadata).toEqual({ key2: 'two' })
        expect(await find('key1:one')).toEqual([])
        expect(await find('key2:two')).toEqual([id])
        expectRefusal(await account.get('/calendars', { metadata_pair: 'note:x' }), /metadata_pair/)
        await account.delete(path)
      },
    )

    test.skipIf(lacks('free-busy'))('return the busy times of their owner', async () => {
      const window = { start_time: at('2026-06-01T00:00'), end_time: at('2026-06-08T00:00') }
      const emails = [open.email, 'nobody-at-all@example.invalid']
      const ask = async (): Promise<Json[]> =>
        expectStatus(await account.post('/calendars/free-busy', { ...window, emails }), 200).body.data
      const made = await account.create('primary', { title: 'Busy', when: span('2026-06-02T09:00') })
      const free = await account.create('primary', { title: 'Free', when: span('2026-06-03T09:00'), busy: false })
      const [own, nobody] = await ask()
      expect(own).toMatchObject({ email: open.email, object: 'free_busy' })
      expect(own.time_slots).toEqual([
        expect.objectContaining({
          start_time: at('2026-06-02T09:00'),
          end_time: at('2026-06-02T10:00'),
          status: 'busy',
        }),
      ])
      expect(nobody).toMatchObject({ email: emails[1], object: 'error', error: expect.stringMatching(/./) })
      for (const { id } of [made, free]) await account.delete(`/events/${id}`, { calendar_id: 'primary' })
      expect((await ask())[0].time_slots).toEqual([])
      const backwards = { start_time: window.end_time, end_time: window.start_time, emails }
      expectRefusal(await account.post('/calendars/free-busy', backwards), /end_time/)
    })
  })
}
