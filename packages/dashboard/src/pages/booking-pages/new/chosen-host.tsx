/** A chosen account with the calendar that is checked and gets the events. */
import type { Calendar } from '@waypost/sdk'
import { useEffect } from 'react'
import { api } from '../../../api.ts'
import { Button } from '../../../components/button.tsx'
import { useSeesCustomerData } from '../../../components/customer-data.tsx'
import { ActionButton } from '../../../components/dialog.tsx'
import { SelectField, TextField } from '../../../components/form.tsx'
import { Icon } from '../../../components/icons.tsx'
import { ErrorNote, Skeleton } from '../../../components/states.tsx'
import { refresh } from '../../../queries.ts'
import { providerTitle } from '../../connectors/kinds.ts'
import { useWritableCalendars } from '../data.ts'
import type { Host } from '../new-page.ts'

/** Providers whose calendars have a time zone of their own. */
const takesZone = ['google', 'virtual-calendar']

function CalendarChoice({
  application,
  host,
  zone,
  onChange,
}: {
  application: string
  host: Host
  zone: string
  onChange(calendar: Calendar): void
}) {
  const { data, error, refetch } = useWritableCalendars(application, host.grantId)
  const [first] = data ?? []
  useEffect(() => {
    if (host.calendarId === undefined && first) onChange(first)
  }, [host.calendarId, first])
  if (error) return <ErrorNote error={error} onRetry={() => void refetch()} />
  if (!data) return <Skeleton lines={1} />
  if (!first) {
    return (
      <div className="note warn">
        <strong>This account has no calendar in which events can be created.</strong>
        <div className="actions">
          <ActionButton
            small
            changes
            label="Create a calendar"
            onAct={async () => {
              const body = { name: 'Bookings', ...(takesZone.includes(host.provider) ? { timezone: zone } : {}) }
              await api(application).calendars.create({ grant_id: host.grantId, body })
              await refresh('calendar', application, host.grantId)
            }}
          />
        </div>
      </div>
    )
  }
  return (
    <SelectField
      label="Calendar"
      name={`calendar-${host.grantId}`}
      hint="Its events block times, and bookings are added to it."
      value={host.calendarId ?? first.id}
      options={data.map(({ id, name }) => [id, name || id])}
      onChange={(id) => {
        const chosen = data.find((each) => each.id === id)
        if (chosen) onChange(chosen)
      }}
    />
  )
}

export function ChosenHost({
  application,
  host,
  note,
  zone,
  onChange,
  onCalendar,
  onRemove,
}: {
  application: string
  host: Host
  /** The role of the host, such as organizer. */
  note: string | undefined
  /** Time zone of a new calendar. */
  zone: string
  onChange(host: Host): void
  onCalendar(calendar: Calendar): void
  onRemove(): void
}) {
  const seesCalendars = useSeesCustomerData()
  return (
    <li className="host">
      <div className="split">
        <span className="main-cell wrap">
          <strong>{host.email}</strong>
          <span className="quiet">{[host.name, providerTitle(host.provider), note].filter(Boolean).join(' · ')}</span>
        </span>
        <Button small kind="plain" aria-label={`Remove ${host.email}`} onClick={onRemove}>
          <Icon name="cross" />
        </Button>
      </div>
      {seesCalendars ? (
        <CalendarChoice {...{ application, host, zone }} onChange={onCalendar} />
      ) : (
        <TextField
          label="Calendar ID"
          name={`calendar-${host.grantId}`}
          hint="The calendars of customers are not available here. primary is the main calendar."
          value={host.calendarId ?? 'primary'}
          onChange={(calendarId) => onChange({ ...host, calendarId })}
        />
      )}
    </li>
  )
}
