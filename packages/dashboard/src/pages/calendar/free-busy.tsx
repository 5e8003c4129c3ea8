/** Busy times of other people, shown over the visible hours. */

import type { EventInput } from '@fullcalendar/react'
import type { FreeBusy } from '@waypost/sdk'
import { type FormEvent, useId, useMemo, useState } from 'react'
import { api } from '../../api.ts'
import { Button } from '../../components/button.tsx'
import { Icon } from '../../components/icons.tsx'
import { ErrorNote } from '../../components/states.tsx'
import { plural, sayDuration } from '../../format.ts'
import { useData } from '../../queries.ts'
import type { View } from './address.ts'
import { colorOfPerson } from './colors.ts'
import { type Account, keyOf, type Range } from './data.ts'

export const useFreeBusy = (account: Account, emails: readonly string[], range: Range | undefined) =>
  useData(
    keyOf(account, 'busy', emails, range),
    (signal) => {
      const body = { start_time: range?.start ?? 0, end_time: range?.end ?? 0, emails: [...emails] }
      return api(account.application).calendars.freeBusy({ grant_id: account.grant.id, body, signal })
    },
    { enabled: emails.length > 0 && range !== undefined },
  )

/** Busy times as background events of the grid. */
export function busyEvents(people: readonly FreeBusy[]): EventInput[] {
  return people.flatMap((person, index) =>
    person.object === 'error'
      ? []
      : person.time_slots.map(({ start_time, end_time }) => ({
          id: `busy ${index} ${start_time}`,
          title: person.email,
          start: start_time * 1000,
          end: end_time * 1000,
          display: 'background',
          color: colorOfPerson(index),
        })),
  )
}

function sayBusy(person: FreeBusy | undefined): string {
  if (!person) return 'Loading…'
  if (person.object === 'error') return person.error
  if (person.time_slots.length === 0) return 'Free the whole time'
  const seconds = person.time_slots.reduce((sum, { start_time, end_time }) => sum + end_time - start_time, 0)
  return `Busy ${plural(person.time_slots.length, 'time')}, ${sayDuration(seconds)} in total`
}

export function BusyPeople({
  emails,
  query,
  view,
  onChange,
}: {
  emails: readonly string[]
  query: ReturnType<typeof useFreeBusy>
  view: View
  onChange(emails: string[]): void
}) {
  const id = useId()
  const [typed, setTyped] = useState('')
  const people = useMemo(() => new Map((query.data ?? []).map((person) => [person.email, person])), [query.data])
  const add = (event: FormEvent): void => {
    event.preventDefault()
    const email = typed.trim()
    if (email !== '' && !emails.includes(email)) onChange([...emails, email])
    setTyped('')
  }
  return (
    <div className="cal-people">
      <form className="field" onSubmit={add}>
        <label htmlFor={id}>Free/busy</label>
        <div className="cal-add">
          <input
            id={id}
            className="input"
            value={typed}
            placeholder="ann@example.com"
            onChange={(event) => setTyped(event.currentTarget.value)}
          />
          <Button type="submit">Show</Button>
        </div>
      </form>
      {emails.length > 0 && (
        <ul className="cal-list">
          {emails.map((email, index) => (
            <li key={email}>
              <span className="cal-name wrap">
                <span className="cal-dot" style={{ background: colorOfPerson(index) }} />
                <bdi>{email}</bdi>
                <Button
                  small
                  kind="plain"
                  aria-label={`Remove ${email}`}
                  onClick={() => onChange(emails.filter((each) => each !== email))}
                >
                  <Icon name="cross" />
                </Button>
              </span>
              <span className="quiet small wrap">{query.error ? '' : sayBusy(people.get(email))}</span>
            </li>
          ))}
        </ul>
      )}
      {emails.length > 0 && query.error && <ErrorNote error={query.error} />}
      {emails.length > 0 && (view === 'month' || view === 'list') && (
        <span className="quiet small">Their busy times appear in the week and day views.</span>
      )}
    </div>
  )
}
