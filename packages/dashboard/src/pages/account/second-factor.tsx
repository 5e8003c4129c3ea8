/** The second factor of the signed-in person. */
import type { Person } from '@waypost/sdk'
import { useState } from 'react'
import { api } from '../../api.ts'
import { Badge } from '../../components/badge.tsx'
import { Button } from '../../components/button.tsx'
import { Dialog } from '../../components/dialog.tsx'
import { Card } from '../../components/page.tsx'
import { showToast } from '../../components/toast.tsx'
import { plural } from '../../format.ts'
import { refresh } from '../../queries.ts'
import { RecoveryCodesDialog } from './recovery-codes.tsx'
import { ProofForm, SetUpTotp } from './set-up-totp.tsx'

type Open = 'set up' | 'renew' | 'remove' | readonly string[]

function OpenDialog({ open, onOpen, onClose }: { open: Open; onOpen(next: Open): void; onClose(): void }) {
  if (open === 'set up') return <SetUpTotp onClose={onClose} />
  if (open === 'renew') {
    return (
      <Dialog title="Create new recovery codes?" onClose={onClose}>
        <p>Your current recovery codes stop working.</p>
        <ProofForm
          submit="Create new codes"
          onCancel={onClose}
          onProven={async (body) => (await api().account.renewRecoveryCodes({ body })).data.recovery_codes}
          onDone={(codes) => {
            void refresh('account')
            onOpen(codes)
          }}
        />
      </Dialog>
    )
  }
  if (open === 'remove') {
    return (
      <Dialog title="Remove the second factor?" onClose={onClose}>
        <p>You will sign in with your password only. Your recovery codes stop working.</p>
        <ProofForm
          submit="Remove"
          onCancel={onClose}
          onProven={(body) => api().account.removeTotp({ body })}
          onDone={() => {
            void refresh('account')
            showToast('Second factor removed')
            onClose()
          }}
        />
      </Dialog>
    )
  }
  return <RecoveryCodesDialog codes={open} onClose={onClose} />
}

export function SecondFactorCard({ person }: { person: Person }) {
  const [open, setOpen] = useState<Open>()
  const left = person.recovery_codes_left
  return (
    <Card
      title="Second factor"
      lead="With a code from an authenticator app in addition to your password, a stolen password is not enough to sign in."
      actions={
        person.has_totp ? (
          <>
            <Button onClick={() => setOpen('renew')}>New recovery codes</Button>
            <Button kind="danger" onClick={() => setOpen('remove')}>
              Remove
            </Button>
          </>
        ) : (
          <Button kind="primary" onClick={() => setOpen('set up')}>
            Set up
          </Button>
        )
      }
    >
      <div className="card-body split">
        <p className="quiet">
          {person.has_totp ? `${plural(left, 'recovery code')} left.` : 'You sign in with your password only.'}
          {person.has_totp && left < 3 && ' Create new ones before you run out.'}
        </p>
        <Badge tone={person.has_totp ? 'good' : 'warn'}>{person.has_totp ? 'on' : 'off'}</Badge>
      </div>
      {open && <OpenDialog open={open} onOpen={setOpen} onClose={() => setOpen(undefined)} />}
    </Card>
  )
}
