/** The frame around the parts of one booking page: name, state, link, delete and tabs. */
import type { SchedulingPage } from '@waypost/sdk'
import type { ReactNode } from 'react'
import { useLocation } from 'wouter'
import { api } from '../../api.ts'
import { Badge } from '../../components/badge.tsx'
import { CopyButton } from '../../components/copy.tsx'
import { ConfirmButton } from '../../components/dialog.tsx'
import { LoadedPage } from '../../components/loaded-page.tsx'
import { Page, Tabs } from '../../components/page.tsx'
import { showToast } from '../../components/toast.tsx'
import '../../styles/booking-pages.css'
import { PageState } from './booking-pages.tsx'
import { refreshPages, useBookingPage } from './data.ts'
import { pageUrl } from './embed.ts'
import { kindName, kindOf } from './kinds.ts'

const tabs = {
  edit: { path: '', text: 'Edit' },
  events: { path: '/events', text: 'Events' },
  share: { path: '/share', text: 'Link and embedding' },
  bookings: { path: '/bookings', text: 'Bookings' },
} as const

function DeletePage({ application, page }: { application: string; page: SchedulingPage }) {
  const [, navigate] = useLocation()
  return (
    <ConfirmButton
      label="Delete"
      title={`Delete ${page.name}?`}
      confirm="Delete page"
      onConfirm={async () => {
        await api(application).configurations.delete({ grant_id: page.grant_id, configuration_id: page.id })
        showToast(`${page.name} was deleted`)
        navigate(`/a/${application}/booking-pages`)
        await refreshPages(application)
      }}
    >
      <p>
        The page closes at once, and its link is free for another page. Sites that embed it show that it does not exist.
      </p>
      <p>
        Meetings that are already booked stay in the calendars. Guests can still cancel them with the link in their
        mail, but can no longer move them. Reminders are still sent.
      </p>
      <p>You cannot undo this.</p>
    </ConfirmButton>
  )
}

export function PageFrame({
  application,
  id,
  current,
  children,
}: {
  application: string
  id: string
  current: keyof typeof tabs
  children(page: SchedulingPage): ReactNode
}) {
  const query = useBookingPage(application, id)
  const back = { to: `/a/${application}/booking-pages`, label: 'Booking pages' }
  return (
    <LoadedPage query={query} title="Booking page" back={back}>
      {(page) => (
        <Page
          title={page.name}
          back={back}
          lead={
            <span className="tags">
              <PageState page={page} />
              <Badge plain>{kindName(kindOf(page))}</Badge>
            </span>
          }
          actions={
            <>
              {!page.requires_session_auth && (
                <>
                  <CopyButton text={pageUrl(application, page)} label="Copy the link" />
                  <a className="button normal" href={pageUrl(application, page)} target="_blank" rel="noreferrer">
                    Open page
                  </a>
                </>
              )}
              <DeletePage application={application} page={page} />
            </>
          }
        >
          <Tabs
            label="Parts of the booking page"
            tabs={Object.entries(tabs)
              .filter(([name]) => name !== 'events' || page.type === 'group')
              .map(([name, { path, text }]) => ({
                to: `/a/${application}/booking-pages/${id}${path}`,
                text,
                current: name === current,
              }))}
          />
          {children(page)}
        </Page>
      )}
    </LoadedPage>
  )
}
