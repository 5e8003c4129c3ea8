/** The form of a booking. Checks entries when they are sent, and marks what is wrong next to each input. */
import { useRef, useState } from 'preact/hooks'
import { Policy } from '../components/policy.tsx'
import { usePage } from '../page.ts'
import { type Entries, shownFields, wrongEntries } from './entries.ts'
import { AdditionalInput, TextField } from './field.tsx'
import { Guests } from './guests.tsx'

interface FormProps {
  entries: Entries
  /** What the server found wrong, by input. */
  refused: Readonly<Record<string, string>>
  isSending: boolean
  change(entries: Entries): void
  send(): void
}

export function BookingForm({ entries, refused, isSending, change, send }: FormProps) {
  const { settings, t, announce } = usePage()
  const { additional_fields: fields, hide_additional_guests: hidesGuests } = settings.scheduler
  const [tried, setTried] = useState(false)
  const form = useRef<HTMLFormElement>(null)
  const own = tried ? wrongEntries(entries, fields) : {}
  const wrong: Record<string, string | undefined> = {
    ...refused,
    ...Object.fromEntries(Object.entries(own).map(([name, key]) => [name, t(key)])),
  }
  const onSubmit = (event: Event): void => {
    event.preventDefault()
    if (isSending) return
    setTried(true)
    const [first] = Object.keys(wrongEntries(entries, fields))
    if (first === undefined) {
      send()
      return
    }
    announce(t('form_wrong'))
    form.current?.querySelector<HTMLElement>(`#${CSS.escape(`input-${first}`)}`)?.focus()
  }
  const put = (part: Partial<Entries>): void => change({ ...entries, ...part })
  return (
    <form ref={form} noValidate onSubmit={onSubmit}>
      <TextField
        {...{ name: 'name', label: t('name'), type: 'text', isRequired: true, autocomplete: 'name' }}
        value={entries.name}
        wrong={wrong.name}
        change={(name) => put({ name })}
      />
      <TextField
        {...{ name: 'email', label: t('email'), type: 'email', isRequired: true, autocomplete: 'email' }}
        value={entries.email}
        wrong={wrong.email}
        change={(email) => put({ email })}
      />
      {!hidesGuests && <Guests guests={entries.guests} wrong={wrong} change={(guests) => put({ guests })} />}
      {shownFields(fields).map((field) => (
        <AdditionalInput
          key={field.key}
          field={field}
          value={entries.fields[field.key] ?? ''}
          wrong={wrong[`field.${field.key}`]}
          change={(value) => put({ fields: { ...entries.fields, [field.key]: value } })}
        />
      ))}
      <Policy />
      <button type="submit" class="main-button" aria-disabled={isSending}>
        {isSending ? t('booking') : settings.appearance?.submit_button_label || t('book')}
      </button>
    </form>
  )
}
