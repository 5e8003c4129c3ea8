/** The editor of a booking page: a form in sections, and the page itself next to it. */
import type { Configuration, SchedulingPage } from '@waypost/sdk'
import { useState } from 'react'
import { api } from '../../../api.ts'
import { Form } from '../../../components/form.tsx'
import { showToast } from '../../../components/toast.tsx'
import '../../../styles/hosted-page.css'
import { changesOf, type Edit, isChanged } from '../changes.ts'
import { refreshPages } from '../data.ts'
import { problemOfWeek, weekOf } from '../hours.ts'
import { PageFrame } from '../page-frame.tsx'
import { Preview } from '../preview.tsx'
import { AddressSection } from './address.tsx'
import { AppearanceSection } from './appearance.tsx'
import { GuestChangesSection, GuestsSection } from './guests.tsx'
import { HostsSection } from './hosts.tsx'
import { HoursSection } from './hours-section.tsx'
import { LimitsSection } from './limits.tsx'
import { MailsSection } from './mails.tsx'
import { MeetingSection } from './meeting.tsx'

/** The page as the API takes it back. */
const configurationOf = ({
  grant_id: _,
  created_at: __,
  updated_at: ___,
  ...configuration
}: SchedulingPage): Configuration => configuration

/** The draft without empty lines and options, which people leave while they type. */
function tidied(draft: Configuration): Configuration {
  const lines = (texts: readonly string[]): string[] => texts.map((text) => text.trim()).filter((text) => text !== '')
  const fields = Object.entries(draft.scheduler.additional_fields ?? {}).map(
    ([key, field]) => [key, field.options ? { ...field, options: lines(field.options) } : field] as const,
  )
  return {
    ...draft,
    embed_origins: lines(draft.embed_origins),
    ...(fields.length > 0 ? { scheduler: { ...draft.scheduler, additional_fields: Object.fromEntries(fields) } } : {}),
  }
}

/** The first problem of any weekly hours. */
function problemOfHours({ availability, participants }: Configuration): string | undefined {
  const all = [
    availability.availability_rules?.default_open_hours ?? [],
    ...participants.map((each) => each.availability?.open_hours ?? []),
  ]
  return all.map((blocks) => problemOfWeek(weekOf(blocks))).find((problem) => problem !== undefined)
}

function Editor({ application, page }: { application: string; page: SchedulingPage }) {
  const [saved, setSaved] = useState(() => configurationOf(page))
  const [draft, setDraft] = useState(saved)
  const edit = (change: Edit): void => setDraft(change)
  const isGroup = draft.type === 'group'
  const props = { application, draft, edit }
  const isDirty = isChanged(saved, tidied(draft))
  const save = async (): Promise<Configuration> => {
    const problem = problemOfHours(draft)
    if (problem) throw new Error(problem)
    const request = { grant_id: page.grant_id, configuration_id: page.id, body: changesOf(saved, tidied(draft)) }
    return (await api(application).configurations.update(request)).data
  }
  return (
    <div className="page-editor">
      <Form
        submit="Save page"
        note={
          <p className="saved-state quiet small" role="status">
            {isDirty ? 'You have changes that are not saved.' : 'Everything is saved.'}
          </p>
        }
        onSubmit={save}
        onDone={(data) => {
          setSaved(data)
          setDraft(data)
          showToast('Page saved')
          void refreshPages(application)
        }}
      >
        <MeetingSection {...props} />
        {!isGroup && <HoursSection {...props} />}
        {!isGroup && <HostsSection {...props} />}
        <LimitsSection {...props} />
        <GuestsSection {...props} />
        <AppearanceSection {...props} />
        <MailsSection {...props} />
        <GuestChangesSection {...props} />
        <AddressSection {...props} />
      </Form>
      <div className="page-preview">
        <Preview {...{ application, draft, saved }} />
      </div>
    </div>
  )
}

export function EditBookingPage({ application, id }: { application: string; id: string }) {
  return (
    <PageFrame application={application} id={id} current="edit">
      {(page) => <Editor key={page.id} application={application} page={page} />}
    </PageFrame>
  )
}
