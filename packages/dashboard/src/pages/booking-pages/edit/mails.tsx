import { AreaField, CheckField, SelectField, TextField } from '../../../components/form.tsx'
import { setEvent, setGroup, setMailTemplate } from '../changes.ts'
import { ReminderFields } from '../fields/reminder-fields.tsx'
import { Section, type SectionProps, textOr } from './section.tsx'

const languages = [
  ['en', 'English'],
  ['de', 'Deutsch'],
  ['es', 'Español'],
  ['fr', 'Français'],
  ['nl', 'Nederlands'],
  ['sv', 'Svenska'],
  ['ja', '日本語'],
  ['ko', '한국어'],
  ['zh', '中文'],
] as const

function Texts({ draft, edit }: SectionProps) {
  const template = draft.scheduler.email_template
  const confirmed = template?.booking_confirmed
  return (
    <>
      <div className="form-grid">
        <SelectField
          label="Language of mails to hosts"
          name="scheduler.email_template.organizer_locale"
          value={template?.organizer_locale || 'en'}
          options={languages}
          onChange={(organizer_locale) => edit(setMailTemplate({ organizer_locale }))}
        />
        <TextField
          optional
          label="Logo in mails"
          name="scheduler.email_template.logo"
          type="url"
          placeholder="https://"
          maxLength={2048}
          value={template?.logo ?? ''}
          onChange={(text) => edit(setMailTemplate({ logo: textOr(text) }))}
        />
      </div>
      <TextField
        optional
        label="Title of the confirmation"
        name="scheduler.email_template.booking_confirmed.title"
        value={confirmed?.title ?? ''}
        onChange={(text) => edit(setMailTemplate({ booking_confirmed: { ...confirmed, title: textOr(text) } }))}
      />
      <AreaField
        optional
        label="Text of the confirmation"
        name="scheduler.email_template.booking_confirmed.body"
        rows={3}
        value={confirmed?.body ?? ''}
        onChange={(text) => edit(setMailTemplate({ booking_confirmed: { ...confirmed, body: textOr(text) } }))}
      />
    </>
  )
}

export function MailsSection(props: SectionProps) {
  const { draft, edit } = props
  const isGroup = draft.type === 'group'
  const source = isGroup ? draft.group_booking : draft.event_booking
  const set = isGroup ? setGroup : setEvent
  return (
    <Section title="Mails and reminders" lead="What guests and hosts are told">
      <CheckField
        label="Send mails about bookings"
        name="disable_emails"
        hint="Confirmations, changes and cancellations, in the language of the guest."
        checked={!source?.disable_emails}
        onChange={(wanted) => edit(set({ disable_emails: !wanted }))}
      />
      {!isGroup && (
        <CheckField
          label="The calendar provider also sends invitations"
          name="event_booking.notify_participants"
          checked={draft.event_booking.notify_participants ?? false}
          onChange={(notify_participants) => edit(setEvent({ notify_participants }))}
        />
      )}
      <ReminderFields
        at={isGroup ? 'group_booking.reminders' : 'event_booking.reminders'}
        forGroups={isGroup}
        reminders={source?.reminders ?? []}
        onChange={(reminders) => edit(set({ reminders }))}
      />
      <Texts {...props} />
    </Section>
  )
}
