import type { Application } from '@waypost/sdk'
import { api } from '../../api.ts'
import { Status } from '../../components/badge.tsx'
import { ConfirmButton } from '../../components/dialog.tsx'
import { AreaField, CheckField, Form, TextField } from '../../components/form.tsx'
import { Card } from '../../components/page.tsx'
import { Loaded } from '../../components/states.tsx'
import { showToast } from '../../components/toast.tsx'
import { refresh, useApplicationSummary } from '../../queries.ts'

/** Reloads everything that shows the application, because its name is also shown in lists. */
export async function refreshApplication(application: string): Promise<void> {
  await Promise.all([refresh('application', application), refresh('applications')])
  showToast('Saved')
}

function BrandingForm({ application: { application_id: id, branding } }: { application: Application }) {
  return (
    <Card title="Branding" lead="What people see when they connect an account.">
      <div className="card-body">
        <Form
          submit="Save branding"
          onSubmit={(values) =>
            api(id).applications.update({
              body: {
                branding: {
                  name: values.text('name'),
                  icon_url: values.text('icon_url') ?? null,
                  website_url: values.text('website_url') ?? null,
                  description: values.text('description') ?? null,
                },
              },
            })
          }
          onDone={() => void refreshApplication(id)}
        >
          <div className="form-grid">
            <TextField label="Name" name="name" defaultValue={branding.name} maxLength={256} />
            <TextField
              label="Website"
              name="website_url"
              type="url"
              optional
              defaultValue={branding.website_url ?? ''}
            />
            <TextField label="Icon URL" name="icon_url" type="url" optional defaultValue={branding.icon_url ?? ''} />
          </div>
          <AreaField
            label="Description"
            name="description"
            optional
            rows={2}
            defaultValue={branding.description ?? ''}
          />
        </Form>
      </div>
    </Card>
  )
}

function Behaviour({ application }: { application: Application }) {
  const { application_id: id } = application
  return (
    <Card title="API behavior">
      <div className="card-body">
        <Form
          submit="Save behavior"
          onSubmit={(values) =>
            api(id).applications.update({
              body: {
                expand_recurring_default: values.checked('expand_recurring_default'),
                allow_hard_delete: values.checked('allow_hard_delete'),
              },
            })
          }
          onDone={() => void refreshApplication(id)}
        >
          <CheckField
            name="expand_recurring_default"
            checked={application.expand_recurring_default}
            label="Expand recurring events in event lists"
            hint="Applies when a request does not set expand_recurring."
          />
          <CheckField
            name="allow_hard_delete"
            checked={application.allow_hard_delete}
            label="Allow permanent deletion of messages"
            hint="Otherwise hard_delete is refused and messages go to the trash."
          />
        </Form>
      </div>
    </Card>
  )
}

function Notifications({ application }: { application: Application }) {
  const { application_id: id } = application
  return (
    <Card title="Notifications" lead="How long notifications are retained. They are stored encrypted.">
      <div className="card-body">
        <Form
          submit="Save notifications"
          onSubmit={(values) =>
            api(id).applications.update({
              body: {
                notification_stream: values.checked('notification_stream'),
                notification_days: values.number('notification_days') ?? null,
              },
            })
          }
          onDone={() => void refreshApplication(id)}
        >
          <CheckField
            name="notification_stream"
            checked={application.notification_stream}
            label="Enable the notification stream"
            hint="Retains notifications for GET /v3/notifications. When it is off, notifications without a subscribed destination are deleted."
          />
          <TextField
            label="Retention in days"
            name="notification_days"
            type="number"
            min={2}
            max={90}
            optional
            defaultValue={application.notification_days}
            hint="2 to 90. Leave empty to use the operator’s setting."
          />
        </Form>
      </div>
    </Card>
  )
}

function Mail({ application: { application_id: id } }: { application: Application }) {
  const summary = useApplicationSummary(id)
  return (
    <Card title="Mail sent by the service" lead="Invitations and other mail that the service sends in its own name.">
      <div className="card-body">
        <Loaded query={summary}>
          {(known) => (
            <Form
              submit="Save mail"
              onSubmit={(values) =>
                api().adminApplications.update({
                  application_id: id,
                  body: { mail_per_day: values.number('mail_per_day') ?? null },
                })
              }
              onDone={() => void refreshApplication(id)}
            >
              <TextField
                label="Messages per day"
                name="mail_per_day"
                type="number"
                min={0}
                max={1_000_000}
                optional
                defaultValue={known.mail_per_day ?? ''}
                hint="Counted per recipient from midnight UTC. 0 turns mail off. Leave empty to use the operator’s setting."
              />
            </Form>
          )}
        </Loaded>
      </div>
    </Card>
  )
}

function Block({ application: { application_id: id, blocked, branding } }: { application: Application }) {
  const set = (value: boolean) => async () => {
    await api().adminApplications.update({ application_id: id, body: { blocked: value } })
    await refreshApplication(id)
  }
  return (
    <Card
      title="Access"
      actions={
        blocked ? (
          <ConfirmButton
            key="unblock"
            label="Unblock"
            danger={false}
            title={`Unblock ${branding.name}?`}
            confirm="Unblock"
            onConfirm={set(false)}
          >
            <p>Its API keys and access tokens work again, and its grants are watched again.</p>
          </ConfirmButton>
        ) : (
          <ConfirmButton
            key="block"
            label="Block application"
            title={`Block ${branding.name}?`}
            confirm="Block"
            onConfirm={set(true)}
          >
            <p>Requests with its API keys or tokens are refused until you unblock it.</p>
            <p>Nothing is deleted, and its grants stay billed.</p>
          </ConfirmButton>
        )
      }
    >
      <div className="card-body split">
        <p className="quiet">Controls whether this application can use the API.</p>
        <Status of={blocked ? 'blocked' : 'active'} />
      </div>
    </Card>
  )
}

export function General({ application }: { application: Application }) {
  return (
    <>
      <BrandingForm application={application} />
      <Behaviour application={application} />
      <Notifications application={application} />
      <Mail application={application} />
      <Block application={application} />
    </>
  )
}
