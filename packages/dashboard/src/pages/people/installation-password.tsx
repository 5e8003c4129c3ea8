/** Whether the one password of the installation still lets anybody in. */
import { api } from '../../api.ts'
import { Badge } from '../../components/badge.tsx'
import { ConfirmButton } from '../../components/dialog.tsx'
import { Card } from '../../components/page.tsx'
import { Loaded } from '../../components/states.tsx'
import { tell } from '../../components/toast.tsx'
import { refresh } from '../../queries.ts'
import { useInstallation } from './second-factor-policy.tsx'

async function set(on: boolean): Promise<void> {
  await api().installation.update({ body: { installation_password: on } })
  await Promise.all([refresh('installation'), refresh('session')])
  tell(on ? 'The password signs in again' : 'The password signs in no more')
}

export function InstallationPassword() {
  const installation = useInstallation()
  const on = installation.data?.installation_password
  return (
    <Card
      title="The installation’s password"
      lead="It acts as an owner, and nobody sees who used it. Switch it off once an owner can sign in as a person."
      actions={
        on === undefined ? undefined : on ? (
          <ConfirmButton
            key="off"
            label="Switch off"
            title="Switch the installation’s password off?"
            confirm="Switch off"
            onConfirm={() => set(false)}
          >
            <p>Nobody can sign in with it any more, and sessions that began with it end.</p>
            <p>
              For whoever is shut out, <code>waypost dashboard link</code> on the machine of the service still makes a
              link.
            </p>
          </ConfirmButton>
        ) : (
          <ConfirmButton
            key="on"
            label="Switch on"
            danger={false}
            title="Switch the installation’s password on?"
            confirm="Switch on"
            onConfirm={() => set(true)}
          >
            <p>Whoever knows it can sign in as an owner again.</p>
          </ConfirmButton>
        )
      }
    >
      <div className="card-body split">
        <p className="quiet">Whether it signs in.</p>
        <Loaded query={installation} lines={1}>
          {({ installation_password: isOn }) => <Badge tone={isOn ? 'warn' : 'good'}>{isOn ? 'on' : 'off'}</Badge>}
        </Loaded>
      </div>
    </Card>
  )
}
