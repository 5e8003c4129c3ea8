import type { Application } from '@waypost/sdk'
import { api } from '../../api.ts'
import { Status } from '../../components/badge.tsx'
import { ConfirmButton } from '../../components/dialog.tsx'
import { AreaField, CheckField, TextField } from '../../components/form.tsx'
import { Card } from '../../components/page.tsx'
import { Loaded } from '../../components/states.tsx'
import { useApplicationSummary } from '../../queries.ts'
import { refreshApplication, SettingsCard, SettingsForm } from './settings-card.tsx'

function BrandingForm({ application }: { application: Application }) {
  const { name, website_url, icon_url, description } = application.branding
  return (
    <SettingsCard
      title="Branding"
      lead="What people see when they connect an account."
      submit="Save branding"
      application={application}
      changeIn={({ text }) => ({
        branding: {
          name: text('name'),
          icon_url: text('icon_url') ?? null,
          website_url: text('website_url') ?? null,
          description: text('description') ?? null,
        },
      })}
    >
      <div className="form-grid">
        <TextField label="Name" name="name" defaultValue={name} maxLength={256} />
        <TextField label="Website" name="website_url" type="url" optional defaultValue={website_url ?? ''} />
        <TextField label="Icon URL" name="icon_url" type="url" optional defaultValue={icon_url ?? ''} />
      </div>
      <AreaField label="Description" name="description" optional rows={2} defaultValue={description ?? ''} />
    </SettingsCard>
  )
}

function Behaviour({ application }: { application: Application }) {
  return (
    <SettingsCard
      title="API behavior"
      submit="Save behavior"
      application={application}
      changeIn={({ checked }) => ({
        expand_recurring_default: checked('expand_recurring_default'),
        allow_hard_delete: checked('allow_hard_delete'),
      })}
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
    </SettingsCard>
  )
}

function Notifications({ application }: { application: Application }) {
  return (
    <SettingsCard
      title="Notifications"
      lead="How long notifications are retained. They are stored encrypted."
      submit="Save notifications"
      application={application}
      changeIn={({ checked, number }) => ({
        notification_stream: checked('notification_stream'),
        notification_days: number('notification_days') ?? null,
      })}
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
    </SettingsCard>
  )
}

function Mail({ application }: { application: Application }) {
  const { application_id } = application
  const summary = useApplicationSummary(application_id)
  return (
    <Card title="Mail sent by the service" lead="Invitations and other mail that the service sends in its own name.">
      <div className="card-body">
        <Loaded query={summary}>
          {({ mail_per_day }) => (
            <SettingsForm
              submit="Save mail"
              application={application}
              onSubmit={({ number }) =>
                api().adminApplications.update({
                  application_id,
                  body: { mail_per_day: number('mail_per_day') ?? null },
                })
              }
            >
              <TextField
                label="Messages per day"
                name="mail_per_day"
                type="number"
                min={0}
                max={1_000_000}
                optional
                defaultValue={mail_per_day ?? ''}
                hint="Counted per recipient from midnight UTC. 0 turns mail off. Leave empty to use the operator’s setting."
              />
            </SettingsForm>
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
