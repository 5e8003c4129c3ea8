/** Sets up an authenticator app: the password, the QR code, and the first code. */
import type { TotpEnrolment } from '@waypost/sdk'
import { lazy, Suspense, useState } from 'react'
import { api } from '../../api.ts'
import { CodeField } from '../../components/code-field.tsx'
import { CopyText } from '../../components/copy.tsx'
import { Dialog } from '../../components/dialog.tsx'
import { Form, TextField } from '../../components/form.tsx'
import { Skeleton } from '../../components/states.tsx'
import { refresh } from '../../queries.ts'
import { RecoveryCodesDialog } from './recovery-codes.tsx'

const QrCode = lazy(async () => ({ default: (await import('../../components/qr-code.tsx')).QrCode }))

/** Asks for the user's password before a sensitive change, so that nobody else at the keyboard can make it. */
export function ProofForm<T>({
  submit,
  onProven,
  onDone,
  onCancel,
}: {
  submit: string
  onProven(proof: { current_password: string }): Promise<T>
  onDone(result: T): void
  onCancel(): void
}) {
  return (
    <Form
      own
      submit={submit}
      onCancel={onCancel}
      onSubmit={(values) => onProven({ current_password: values.exact('current_password') })}
      onDone={onDone}
    >
      <TextField
        label="Your password"
        name="current_password"
        type="password"
        autoComplete="current-password"
        autoFocus
      />
    </Form>
  )
}

function Scan({ enrolment: { uri, secret } }: { enrolment: TotpEnrolment }) {
  return (
    <div className="scan">
      <Suspense fallback={<Skeleton lines={4} />}>
        <QrCode text={uri} label="QR code for your authenticator app" />
      </Suspense>
      <div className="stack">
        <p>Scan this QR code with an authenticator app, such as the one in your password manager.</p>
        <p className="small quiet">Or enter the secret:</p>
        <CopyText text={secret} label="Copy the secret" />
      </div>
    </div>
  )
}

export function SetUpTotp({ onClose }: { onClose(): void }) {
  const [enrolment, setEnrolment] = useState<TotpEnrolment>()
  const [codes, setCodes] = useState<readonly string[]>()
  if (codes) return <RecoveryCodesDialog codes={codes} onClose={onClose} />
  if (!enrolment) {
    return (
      <Dialog title="Set up a second factor" onClose={onClose}>
        <p>From now on you need a code from an authenticator app to sign in.</p>
        <ProofForm
          submit="Continue"
          onCancel={onClose}
          onProven={async (body) => (await api().account.beginTotp({ body })).data}
          onDone={setEnrolment}
        />
      </Dialog>
    )
  }
  return (
    <Dialog key="scan" title="Scan the code and enter the first code" onClose={onClose}>
      <Scan enrolment={enrolment} />
      <Form
        own
        submit="Turn on"
        onCancel={onClose}
        onSubmit={async (values) => {
          const { data } = await api().account.confirmTotp({ body: { code: values.text('code') ?? '' } })
          await Promise.all([refresh('account'), refresh('sessions')])
          return data.recovery_codes
        }}
        onDone={setCodes}
      >
        <CodeField of="app" />
      </Form>
    </Dialog>
  )
}
