/** The calendars of the account with their colors and check boxes to show or hide them. */
import type { Calendar } from '@waypost/sdk'
import { useState } from 'react'
import { api } from '../../api.ts'
import { Button } from '../../components/button.tsx'
import { Dialog } from '../../components/dialog.tsx'
import { Form, TextField } from '../../components/form.tsx'
import { Icon } from '../../components/icons.tsx'
import { Card } from '../../components/page.tsx'
import { Empty, ErrorNote } from '../../components/states.tsx'
import { refresh } from '../../queries.ts'
import { colorOf } from './colors.ts'
import { type Account, type CalendarState, keyOf } from './data.ts'
import { localZone } from './zones.ts'

export function CalendarsList({
  calendars,
  hidden,
  states,
  onHidden,
}: {
  calendars: readonly Calendar[]
  hidden: readonly string[]
  states: Readonly<Record<string, CalendarState | undefined>>
  onHidden(hidden: string[]): void
}) {
  return (
    <fieldset>
      <legend>Calendars</legend>
      <ul className="cal-list">
        {calendars.map((calendar, index) => {
          const isOff = hidden.includes(calendar.id)
          const { isPending = false, error = null, more = false } = states[calendar.id] ?? {}
          return (
            <li key={calendar.id}>
              <label className="check">
                <input
                  type="checkbox"
                  checked={!isOff}
                  style={{ accentColor: colorOf(calendar, index) }}
                  onChange={() =>
                    onHidden(isOff ? hidden.filter((id) => id !== calendar.id) : [...hidden, calendar.id])
                  }
                />
                <span className="cal-name wrap">
                  <span className="cal-dot" style={{ background: colorOf(calendar, index) }} />
                  {calendar.name || 'Unnamed'}
                  {calendar.read_only && (
                    <>
                      <Icon name="lock" />
                      <span className="hidden"> (read-only)</span>
                    </>
                  )}
                </span>
              </label>
              {!isOff && isPending && <span className="quiet small">Loading…</span>}
              {!isOff && error && <ErrorNote error={error} />}
              {more && <span className="quiet small">Showing the first 2,000 events in this range.</span>}
            </li>
          )
        })}
      </ul>
    </fieldset>
  )
}

/** Other providers accept only a name. */
const takesZone = ['google', 'virtual-calendar']

/** An account without calendars, and the form for its first one. */
export function NoCalendars({ account }: { account: Account }) {
  const [isCreating, setCreating] = useState(false)
  const hasZone = takesZone.includes(account.grant.provider)
  return (
    <Card>
      <Empty
        title="No calendars yet"
        actions={
          <Button changes kind="primary" onClick={() => setCreating(true)}>
            New calendar
          </Button>
        }
      >
        This account has no calendars.
      </Empty>
      {isCreating && (
        <Dialog title="New calendar" onClose={() => setCreating(false)}>
          <Form
            submit="Create calendar"
            onCancel={() => setCreating(false)}
            onSubmit={(values) =>
              api(account.application).calendars.create({
                grant_id: account.grant.id,
                body: { name: values.exact('name'), ...(hasZone ? { timezone: values.text('timezone') } : {}) },
              })
            }
            reload={() => refresh(...keyOf(account))}
            done="Calendar created"
          >
            <TextField label="Name" name="name" maxLength={1024} />
            {hasZone && (
              <TextField
                label="Time zone"
                name="timezone"
                defaultValue={localZone()}
                hint="Used for all-day events, such as Europe/Berlin."
              />
            )}
          </Form>
        </Dialog>
      )}
    </Card>
  )
}
