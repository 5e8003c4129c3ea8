/** The booking pages of an application. */
import type { SchedulingPage } from '@waypost/sdk'
import { Link } from 'wouter'
import { api } from '../../api.ts'
import { Badge } from '../../components/badge.tsx'
import { LinkButton } from '../../components/button.tsx'
import { CopyButton } from '../../components/copy.tsx'
import { Filters, TextFilter } from '../../components/filters.tsx'
import { ListTable } from '../../components/list.tsx'
import { Card, Page } from '../../components/page.tsx'
import { Empty } from '../../components/states.tsx'
import type { Column } from '../../components/table.tsx'
import { useListAddress } from '../../list/address.ts'
import { useServiceList } from '../../list/view.ts'
import '../../styles/booking-pages.css'
import { pagesKey } from './data.ts'
import { pageUrl } from './embed.ts'
import { kindName, kindOf, ownerOf } from './kinds.ts'
import { sayMinutes } from './minutes.ts'
import { SchedulingTabs } from './scheduling-tabs.tsx'

/** Who can open the page. */
export function PageState({ page }: { page: SchedulingPage }) {
  if (page.requires_session_auth) return <Badge tone="info">private</Badge>
  return page.slug ? <Badge tone="good">public</Badge> : <Badge>no link</Badge>
}

function Owner({ page }: { page: SchedulingPage }) {
  const owner = ownerOf(page)
  const others = page.participants.length - 1
  return (
    <span className="main-cell wrap">
      <span>{owner?.name || owner?.email || page.grant_id}</span>
      {others > 0 && <span className="quiet">and {others} more</span>}
    </span>
  )
}

const columnsFor = (application: string): readonly Column<SchedulingPage>[] => [
  {
    title: 'Page',
    cell: (page) => (
      <span className="main-cell wrap">
        <Link href={`/a/${application}/booking-pages/${page.id}`}>{page.name}</Link>
        {page.availability.duration_minutes ? (
          <span className="quiet">{sayMinutes(page.availability.duration_minutes)}</span>
        ) : null}
      </span>
    ),
  },
  { title: 'Owner', cell: (page) => <Owner page={page} /> },
  { title: 'Type', cell: (page) => kindName(kindOf(page)) },
  {
    title: 'Booking',
    cell: ({ event_booking }) =>
      (event_booking.booking_type ?? 'booking') === 'booking' ? 'At once' : 'After confirmation',
  },
  {
    title: 'Link',
    cell: (page) =>
      page.slug ? (
        <span className="page-link">
          <a href={pageUrl(application, page)} target="_blank" rel="noreferrer">
            {page.slug}
          </a>
          <CopyButton text={pageUrl(application, page)} label={`Copy the link to ${page.name}`} />
        </span>
      ) : (
        <span className="quiet">none</span>
      ),
  },
  { title: 'State', kind: 'tight', cell: (page) => <PageState page={page} /> },
]

export function BookingPages({ application }: { application: string }) {
  const address = useListAddress({ by: 'name', order: 'asc' })
  const search = address.read('search') || undefined
  const view = useServiceList<SchedulingPage>(pagesKey(application, 'list', search), address, (page, signal) =>
    api(application).schedulingPages.list({ query: { ...page, search }, signal }),
  )
  const create = (
    <LinkButton kind="primary" changes to={`/a/${application}/booking-pages/new`}>
      New booking page
    </LinkButton>
  )
  return (
    <Page
      title="Booking pages"
      lead="Pages on which guests choose a free time in the calendars of connected accounts."
      actions={create}
    >
      <SchedulingTabs application={application} current="pages" />
      {(search !== undefined || (view.rows?.length ?? 0) > 0) && (
        <Filters names={['search']}>
          <TextFilter label="Search" name="search" placeholder="Name, link, owner or ID" />
        </Filters>
      )}
      <Card>
        <ListTable
          label="Booking pages"
          {...{ view, address }}
          one="booking page"
          columns={columnsFor(application)}
          id={({ id }) => id}
          none={
            search === undefined ? (
              <Empty title="No booking pages yet" actions={create}>
                Choose an account, a duration and hours. The page is ready in three steps.
              </Empty>
            ) : (
              <Empty title="No matching booking pages">Search for part of the name, the link or the owner.</Empty>
            )
          }
        />
      </Card>
    </Page>
  )
}
