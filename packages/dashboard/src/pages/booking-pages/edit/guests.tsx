import { CheckField } from '../../../components/form.tsx'
import { setScheduler } from '../changes.ts'
import { QuestionFields } from '../fields/question-fields.tsx'
import { fieldsOf, questionsOf } from '../questions.ts'
import { Section, type SectionProps } from './section.tsx'

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
