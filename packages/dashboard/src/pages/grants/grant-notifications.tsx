import type { StreamedNotification } from '@waypost/sdk'
import { useState } from 'react'
import { api } from '../../api.ts'
import { Button, LinkButton } from '../../components/button.tsx'
import { Code, json } from '../../components/copy.tsx'
import { useSeesCustomerData } from '../../components/customer-data.tsx'
import { Dialog } from '../../components/dialog.tsx'
import { Card } from '../../components/page.tsx'
import { Empty, Loaded } from '../../components/states.tsx'
import { PagedTable } from '../../components/table.tsx'
import { Time } from '../../components/time.tsx'
import { useApplication, usePages } from '../../queries.ts'

/** A short description of the notification's object. */
function about({ data: { object } }: StreamedNotification): string {
  if (!object) return '–'
  const words = ['subject', 'title', 'name', 'email', 'id'].map((field) => object[field])
  return words.find((word): word is string => typeof word === 'string' && word !== '') ?? '–'
}

/** Notifications of a grant, or the reason why they cannot be read and what to do. */
export function GrantNotifications({ application, id }: { application: string; id: string }) {
  const settings = useApplication(application)
  const seesData = useSeesCustomerData()
  if (seesData && settings.data?.notification_stream) return <Notifications application={application} id={id} />
  return (
    <Card title="Notifications">
      {!seesData ? (
        <Empty title="Notifications are not available">They contain customer data.</Empty>
      ) : (
        <Loaded query={settings} lines={2}>
          {() => (
            <Empty
              title="The notification stream is off"
              actions={
                <>
                  <LinkButton changes small to={`/a/${application}/settings`}>
                    Turn it on in settings
                  </LinkButton>
                  <LinkButton small to={`/a/${application}/grants/${id}/timeline?kind=notifications`}>
                    See sent notifications
                  </LinkButton>
                </>
              }
            >
              You can read a grant’s notifications here while the stream retains them.
            </Empty>
          )}
        </Loaded>
      )}
    </Card>
  )
}

function Notifications({ application, id }: { application: string; id: string }) {
  const [open, setOpen] = useState<StreamedNotification>()
  const notifications = usePages(
    ['notifications', application, id],
    (page_token, signal) =>
      api(application).notifications.list({ query: { grant_id: id, order: 'desc', limit: 10, page_token }, signal }),
    { refetchInterval: 15_000 },
  )
  return (
    <Card title="Notifications" lead="Notifications about this grant, newest first.">
      <PagedTable
        label="Notifications"
        query={notifications}
        id={(row) => row.id}
        columns={[
          { title: 'Trigger', kind: 'tight', cell: ({ type }) => <code>{type}</code> },
          { title: 'Object', cell: (row) => <span className="wrap">{about(row)}</span> },
          { title: 'When', kind: 'tight', cell: ({ time }) => <Time at={time} /> },
        ]}
        actions={(row) => (
          <Button small onClick={() => setOpen(row)}>
            Show
          </Button>
        )}
        one="notification"
        none={<Empty title="No notifications yet">Changes in the account appear here.</Empty>}
      />
      {open && (
        <Dialog wide title={open.type} onClose={() => setOpen(undefined)}>
          <Code label="The notification as JSON" text={json(open)} />
        </Dialog>
      )}
    </Card>
  )
}
