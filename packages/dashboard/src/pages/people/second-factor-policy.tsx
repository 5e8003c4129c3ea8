/** Roles that require a second factor. */
import type { Installation, Role } from '@waypost/sdk'
import { useState } from 'react'
import { api } from '../../api.ts'
import { Badge } from '../../components/badge.tsx'
import { Button } from '../../components/button.tsx'
import { CheckField, Choices } from '../../components/form.tsx'
import { FormDialog } from '../../components/form-dialog.tsx'
import { Card } from '../../components/page.tsx'
import { Loaded } from '../../components/states.tsx'
import { refresh, useData } from '../../queries.ts'
import { roles } from '../../rights.ts'

const groups: Record<Role, string> = { owner: 'Owners', administrator: 'Administrators', viewer: 'Viewers' }

export const useInstallation = () => useData(['installation'], (signal) => api().installation.get({ signal }))

function Change({ installation, onClose }: { installation: Installation; onClose(): void }) {
  const required = installation.second_factor_required_for
  const [owners, setOwners] = useState(required.includes('owner'))
  const switchesOff = owners && installation.installation_password
  return (
    <FormDialog
      title="Require a second factor"
      onClose={onClose}
      submit="Save"
      onSubmit={async (values) => {
        const chosen = roles.filter((role) => values.all('roles').includes(role))
        const off = chosen.includes('owner') && installation.installation_password
        await api().installation.update({
          body: { second_factor_required_for: chosen, ...(off ? { installation_password: false } : {}) },
        })
      }}
      reload={() => Promise.all([refresh('installation'), refresh('session')])}
      done="Saved"
    >
      <p>
        People with these roles must set up a second factor before they can do anything else, even in open sessions. Set
        up your own first. For sign-in with OpenID Connect, the provider decides.
      </p>{' '}
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
          The installation’s password has no second factor. Saving turns it off and ends its sessions.
        </p>
      )}
    </FormDialog>
  )
}

export function SecondFactorPolicy() {
  const installation = useInstallation()
  const [open, setOpen] = useState(false)
  return (
    <Card
      title="Second factor"
      lead="Choose which roles must sign in with a code from an authenticator app in addition to the password."
      actions={installation.data && <Button onClick={() => setOpen(true)}>Change roles</Button>}
    >
      <div className="card-body split">
        <p className="quiet">Roles that need a second factor.</p>
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
