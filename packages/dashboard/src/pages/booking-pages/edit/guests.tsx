import { AreaField, CheckField } from '../../../components/form.tsx'
import { setScheduler } from '../changes.ts'
import { MinutesField } from '../fields/minutes-field.tsx'
import { QuestionFields } from '../fields/question-fields.tsx'
import { fieldsOf, questionsOf } from '../questions.ts'
import { Section, type SectionProps, textOr } from './section.tsx'

export function GuestsSection({ draft, edit }: SectionProps) {
  const { scheduler } = draft
  return (
    <Section title="Guests" lead="What guests are asked">
      <QuestionFields
        questions={questionsOf(scheduler.additional_fields)}
        onChange={(questions) => edit(setScheduler({ additional_fields: fieldsOf(questions) }))}
      />
      <CheckField
        label="Guests can bring others"
        name="scheduler.hide_additional_guests"
        checked={!scheduler.hide_additional_guests}
        onChange={(allowed) => edit(setScheduler({ hide_additional_guests: !allowed }))}
      />
    </Section>
  )
}

export function GuestChangesSection({ draft, edit }: SectionProps) {
  const { scheduler } = draft
  return (
    <Section title="Moving and canceling" lead="What guests can do after booking">
      <CheckField
        label="Guests can move their booking"
        name="scheduler.hide_rescheduling_options"
        checked={!scheduler.hide_rescheduling_options}
        onChange={(allowed) => edit(setScheduler({ hide_rescheduling_options: !allowed }))}
      />
      <CheckField
        label="Guests can cancel their booking"
        name="scheduler.hide_cancellation_options"
        checked={!scheduler.hide_cancellation_options}
        onChange={(allowed) => edit(setScheduler({ hide_cancellation_options: !allowed }))}
      />
      <MinutesField
        label="At least this long before the meeting"
        name="scheduler.min_cancellation_notice"
        max={1_051_200}
        value={scheduler.min_cancellation_notice ?? 0}
        onChange={(min_cancellation_notice) => edit(setScheduler({ min_cancellation_notice }))}
      />
      <AreaField
        optional
        label="Cancellation policy"
        name="scheduler.cancellation_policy"
        rows={2}
        value={scheduler.cancellation_policy ?? ''}
        onChange={(text) => edit(setScheduler({ cancellation_policy: textOr(text) }))}
      />
    </Section>
  )
}
