/** Turns sign-in with the installation's password on or off. */
import { api } from '../../api.ts'
import { Badge } from '../../components/badge.tsx'
import { ConfirmButton } from '../../components/dialog.tsx'
import { Card } from '../../components/page.tsx'
import { Loaded } from '../../components/states.tsx'
import { showToast } from '../../components/toast.tsx'
import { refresh } from '../../queries.ts'
import { useInstallation } from './second-factor-policy.tsx'

async function set(on: boolean): Promise<void> {
  await api().installation.update({ body: { installation_password: on } })
  await Promise.all([refresh('installation'), refresh('session')])
  showToast(on ? 'Sign-in with the installation’s password is on' : 'Sign-in with the installation’s password is off')
}

export function InstallationPassword() {
  const installation = useInstallation()
  const on = installation.data?.installation_password
  return (
    <Card
      title="The installation’s password"
      lead="It gives owner access, and the audit log cannot show who used it. Turn it off once an owner can sign in with their own account."
      actions={
        on === undefined ? undefined : on ? (
          <ConfirmButton
            key="off"
            label="Turn off"
            title="Turn off the installation’s password?"
            onConfirm={() => set(false)}
          >
            <p>Nobody can sign in with it anymore, and its sessions end.</p>
            <p>
              If nobody can sign in, run <code>waypost dashboard link</code> on the server to create a sign-in link.
            </p>
          </ConfirmButton>
        ) : (
          <ConfirmButton
            key="on"
            label="Turn on"
            danger={false}
            title="Turn on the installation’s password?"
            onConfirm={() => set(true)}
          >
            <p>Anyone who knows it can sign in as an owner again.</p>
          </ConfirmButton>
        )
      }
    >
      <div className="card-body split">
        <p className="quiet">Controls whether people can sign in with it.</p>
        <Loaded query={installation} lines={1}>
          {({ installation_password: isOn }) => <Badge tone={isOn ? 'warn' : 'good'}>{isOn ? 'on' : 'off'}</Badge>}
        </Loaded>
      </div>
    </Card>
  )
}
