/** The second factor of the person who is signed in. */
import type { Person } from '@waypost/sdk'
import { useState } from 'react'
import { api } from '../../api.ts'
import { Badge } from '../../components/badge.tsx'
import { Button } from '../../components/button.tsx'
import { Dialog } from '../../components/dialog.tsx'
import { Card } from '../../components/page.tsx'
import { tell } from '../../components/toast.tsx'
import { plural } from '../../format.ts'
import { refresh } from '../../queries.ts'
import { RecoveryCodesDialog } from './recovery-codes.tsx'
import { ProofForm, SetUpTotp } from './set-up-totp.tsx'

type Open = 'set up' | 'renew' | 'remove' | readonly string[]

function OpenDialog({ open, onOpen, onClose }: { open: Open; onOpen(next: Open): void; onClose(): void }) {
  if (open === 'set up') return <SetUpTotp onClose={onClose} />
  if (open === 'renew') {
    return (
      <Dialog title="Make new recovery codes?" onClose={onClose}>
        <p>Those that you have end.</p>
        <ProofForm
          submit="Make new codes"
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
        <p>Your password alone will sign you in again. The recovery codes end.</p>
        <ProofForm
          submit="Remove"
          onCancel={onClose}
          onProven={(body) => api().account.removeTotp({ body })}
          onDone={() => {
            void refresh('account')
            tell('The second factor was removed')
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
      lead="A code of an authenticator app beside the password: a stolen password alone then opens nothing."
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
          {person.has_totp ? `${plural(left, 'recovery code')} left.` : 'Only your password is asked for.'}
          {person.has_totp && left < 3 && ' Make new ones before they run out.'}
        </p>
        <Badge tone={person.has_totp ? 'good' : 'warn'}>{person.has_totp ? 'on' : 'off'}</Badge>
      </div>
      {open && <OpenDialog open={open} onOpen={setOpen} onClose={() => setOpen(undefined)} />}
    </Card>
  )
}
