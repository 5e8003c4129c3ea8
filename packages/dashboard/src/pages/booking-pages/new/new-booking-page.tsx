/** Creates a booking page in three steps: whose calendar, what, link. */
import { useState } from 'react'
import { useLocation } from 'wouter'
import { api, messageOf } from '../../../api.ts'
import { FieldError, Form } from '../../../components/form.tsx'
import { Card, Page } from '../../../components/page.tsx'
import { showToast } from '../../../components/toast.tsx'
import { now } from '../../../format.ts'
import { useRights } from '../../../rights.ts'
import '../../../styles/booking-pages.css'
import { addDays, dateOf, localZone, wallOf } from '../../calendar/zones.ts'
import { refreshPages, useTakenSlugs } from '../data.ts'
import { problemOfWeek, weekOf } from '../hours.ts'
import { type Answers, draftOf, firstAnswers, firstEventOf, freeSlug, missingIn, usualTitle } from '../new-page.ts'
import { slugOf } from '../slug.ts'
import { LinkStep } from './link.tsx'
import { What } from './what.tsx'
import { type StepProps, Who } from './who.tsx'

const steps = ['Whose calendar', 'What and when', 'Link'] as const

const tomorrow = (): string => addDays(dateOf(wallOf(Math.floor(now()), localZone())), 1)

function Steps({ at }: { at: number }) {
  return (
    <ol className="wizard-steps" aria-label="Steps">
      {steps.map((text, index) => (
        <li key={text} aria-current={index === at ? 'step' : undefined} data-done={index < at || undefined}>
          <span className="step-mark" aria-hidden="true">
            {index + 1}
          </span>
          {text}
        </li>
      ))}
    </ol>
  )
}

/** Checks a step, and fills what the next one needs. Throws what is missing. */
function leaveStep(step: number, answers: Answers, taken: ReadonlySet<string>): Answers {
  if (step === 0) {
    const missing = missingIn(answers)
    if (missing) throw new Error(missing)
    return answers.title === '' ? { ...answers, title: usualTitle(answers) } : answers
  }
  const problem = answers.kind === 'group' ? undefined : problemOfWeek(weekOf(answers.hours))
  if (problem) throw new Error(problem)
  if (answers.kind !== 'group' && answers.hours.length === 0) throw new Error('Open at least one day.')
  if (answers.title.trim() === '') throw new FieldError('title', 'Enter a title.')
  return answers.slug === '' ? { ...answers, slug: freeSlug(answers.title, taken) } : answers
}

function Step({ step, ...props }: StepProps & { step: number }) {
  if (step === 0) return <Who {...props} />
  return step === 1 ? <What {...props} /> : <LinkStep {...props} />
}

function Wizard({ application }: { application: string }) {
  const [, navigate] = useLocation()
  const [step, setStep] = useState(0)
  const [answers, setAnswers] = useState(() => firstAnswers(localZone(), tomorrow()))
  const taken = useTakenSlugs(application, step === 1 ? slugOf(answers.title) : '')
  const list = `/a/${application}/booking-pages`
  const isLast = step === steps.length - 1
  const create = async (): Promise<void> => {
    const request = { grant_id: answers.hosts[0]?.grantId ?? '', body: draftOf(answers) }
    const { data } = await api(application).configurations.create(request)
    if (answers.kind === 'group') {
      const event = { grant_id: request.grant_id, configuration_id: data.id, body: firstEventOf(answers) }
      await api(application)
        .groupEvents.create(event)
        .catch((error: unknown) => showToast(messageOf(error)))
    }
    await refreshPages(application)
    showToast(`${data.name} is ready`)
    navigate(`${list}/${data.id}/share`)
  }
  return (
    <Card>
      <div className="card-body stack">
        <Steps at={step} />
        <Form
          // Every step is a new form, so that no error of the previous one stays.
          key={step}
          submit={isLast ? 'Create page' : 'Next'}
          cancel={step === 0 ? 'Cancel' : 'Back'}
          onCancel={() => (step === 0 ? navigate(list) : setStep(step - 1))}
          onSubmit={async () => {
            if (isLast) return create()
            setAnswers(leaveStep(step, answers, taken.data ?? new Set()))
            setStep(step + 1)
            return undefined
          }}
        >
          <Step {...{ application, answers, step }} change={setAnswers} />
        </Form>
      </div>
    </Card>
  )
}

export function NewBookingPage({ application }: { application: string }) {
  const { change } = useRights()
  return (
    <Page title="New booking page" back={{ to: `/a/${application}/booking-pages`, label: 'Booking pages' }}>
      {change ? (
        <Wizard application={application} />
      ) : (
        <div className="note">You have the viewer role, so you cannot make changes.</div>
      )}
    </Page>
  )
}
