/** Which roles need a second factor. */
import { useQuery } from '@tanstack/react-query'
import type { Installation, Role } from '@waypost/sdk'
import { useState } from 'react'
import { api } from '../../api.ts'
import { Badge } from '../../components/badge.tsx'
import { Button } from '../../components/button.tsx'
import { Dialog } from '../../components/dialog.tsx'
import { CheckField, Choices, Form } from '../../components/form.tsx'
import { Card } from '../../components/page.tsx'
import { Loaded } from '../../components/states.tsx'
import { tell } from '../../components/toast.tsx'
import { refresh } from '../../queries.ts'
import { roles } from '../../rights.ts'

const groups: Record<Role, string> = { owner: 'Owners', administrator: 'Administrators', viewer: 'Viewers' }

export const useInstallation = () =>
  useQuery({
    queryKey: ['installation'],
    queryFn: async ({ signal }) => (await api().installation.get({ signal })).data,
  })

function Change({ installation, onClose }: { installation: Installation; onClose(): void }) {
  const required = installation.second_factor_required_for
  const [owners, setOwners] = useState(required.includes('owner'))
  const switchesOff = owners && installation.installation_password
  return (
    <Dialog title="Require a second factor" onClose={onClose}>
      <p>
        People of these roles who have none can do nothing but set one up, in sessions that are open already too. You
        need one yourself first. Sign-in with OpenID Connect leaves it to the provider.
      </p>
      <Form
        submit="Save"
        onCancel={onClose}
        onSubmit={async (values) => {
          const chosen = roles.filter((role) => values.all('roles').includes(role))
          const off = chosen.includes('owner') && installation.installation_password
          await api().installation.update({
            body: { second_factor_required_for: chosen, ...(off ? { installation_password: false } : {}) },
          })
          await Promise.all([refresh('installation'), refresh('session')])
          tell('Saved')
        }}
        onDone={onClose}
      >
        <Choices legend="Required for" name="roles">
          {roles.map((role) => (
            <CheckField
              key={role}
              name="roles"
              value={role}
              label={groups[role]}
              checked={required.includes(role)}
              onChange={role === 'owner' ? setOwners : undefined}
            />
          ))}
        </Choices>
        {switchesOff && (
          <p className="note warn">
            The installation’s password has no second factor. It is switched off when you save, and sessions that began
            with it end.
          </p>
        )}
      </Form>
    </Dialog>
  )
}

export function SecondFactorPolicy() {
  const installation = useInstallation()
  const [open, setOpen] = useState(false)
  return (
    <Card
      title="Second factor"
      lead="Choose who must confirm the password with a code of an authenticator app."
      actions={installation.data && <Button onClick={() => setOpen(true)}>Change who needs one</Button>}
    >
      <div className="card-body split">
        <p className="quiet">Who must have one.</p>
        <Loaded query={installation} lines={1}>
          {({ second_factor_required_for: required }) =>
            required.length === 0 ? (
              <Badge tone="warn">nobody</Badge>
            ) : (
              <Badge tone="good">
                {required.length === roles.length ? 'everybody' : required.map((role) => groups[role]).join(', ')}
              </Badge>
            )
          }
        </Loaded>
      </div>
      {open && installation.data && <Change installation={installation.data} onClose={() => setOpen(false)} />}
    </Card>
  )
}
