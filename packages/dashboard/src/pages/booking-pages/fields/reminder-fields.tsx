/** Reminders before the meeting: mails, or notifications to webhooks. */
import { Button } from '../../../components/button.tsx'
import { SelectField, TextField } from '../../../components/form.tsx'
import { Icon } from '../../../components/icons.tsx'
import { MinutesField } from './minutes-field.tsx'

export interface Reminder {
  type: 'email' | 'webhook'
  minutes_before_event: number
  recipient?: 'host' | 'guest' | 'all' | null | undefined
  email_subject?: string | null | undefined
}

const types = [
  ['email', 'Email'],
  ['webhook', 'Webhook notification'],
] as const
const recipients = [
  ['all', 'Guest and hosts'],
  ['guest', 'Guest'],
  ['host', 'Hosts'],
] as const

function ReminderRow({
  at,
  number,
  reminder,
  forGroups,
  onChange,
  onRemove,
}: {
  at: string
  number: number
  reminder: Reminder
  forGroups: boolean
  onChange(reminder: Reminder): void
  onRemove(): void
}) {
  const isMail = reminder.type === 'email'
  const offered = recipients.filter(([value]) => !forGroups || value !== 'all')
  return (
    <li className="question">
      <div className="split">
        <h3>Reminder {number}</h3>
        <Button small kind="plain" changes aria-label={`Remove reminder ${number}`} onClick={onRemove}>
          <Icon name="cross" />
        </Button>
      </div>
      <div className="form-grid">
        <MinutesField
          label="Before"
          name={`${at}.minutes_before_event`}
          min={1}
          value={reminder.minutes_before_event}
          onChange={(minutes_before_event) => onChange({ ...reminder, minutes_before_event })}
        />
        <SelectField
          label="Kind"
          name={`${at}.type`}
          value={reminder.type}
          options={types}
          onChange={(type) =>
            onChange(
              type === 'webhook'
                ? { type, minutes_before_event: reminder.minutes_before_event }
                : { type: 'email', minutes_before_event: reminder.minutes_before_event, recipient: 'guest' },
            )
          }
        />
        {isMail && (
          <SelectField
            label="To"
            name={`${at}.recipient`}
            value={reminder.recipient ?? 'all'}
            options={offered}
            onChange={(recipient) => onChange({ ...reminder, recipient: recipient as 'host' | 'guest' | 'all' })}
          />
        )}
        {isMail && (
          <TextField
            optional
            label="Subject"
            name={`${at}.email_subject`}
            maxLength={200}
            value={reminder.email_subject ?? ''}
            onChange={(text) => onChange({ ...reminder, email_subject: text || undefined })}
          />
        )}
      </div>
    </li>
  )
}

export function ReminderFields({
  at,
  reminders,
  forGroups = false,
  onChange,
}: {
  /** Path of the reminders in the configuration. */
  at: string
  reminders: readonly Reminder[]
  forGroups?: boolean
  onChange(reminders: Reminder[]): void
}) {
  return (
    <fieldset className="field">
      <legend>Reminders</legend>
      {reminders.length > 0 && (
        <ol className="questions">
          {reminders.map((reminder, index) => (
            <ReminderRow
              key={index}
              at={`${at}.${index}`}
              number={index + 1}
              {...{ reminder, forGroups }}
              onChange={(changed) => onChange(reminders.map((each, place) => (place === index ? changed : each)))}
              onRemove={() => onChange(reminders.filter((_, place) => place !== index))}
            />
          ))}
        </ol>
      )}
      <div className="actions">
        <Button
          small
          changes
          onClick={() => onChange([...reminders, { type: 'email', minutes_before_event: 1440, recipient: 'guest' }])}
        >
          Add a reminder
        </Button>
      </div>
    </fieldset>
  )
}
