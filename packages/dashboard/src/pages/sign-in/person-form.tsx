/** Sign-in with address and password, and with a code if the person has a second factor. */
import type { Session } from '@waypost/sdk'
import { useState } from 'react'
import { api, isSignedOut, needsCode } from '../../api.ts'
import { Button } from '../../components/button.tsx'
import { CodeField } from '../../components/code-field.tsx'
import { FieldError, Form, TextField } from '../../components/form.tsx'

interface PersonFormProps {
  email: string
  password: string
}

const wrong = new FieldError('password', 'Wrong address or password.')

export function PersonForm({ onDone }: { onDone(session: Session): void }) {
  const [email, setEmail] = useState('')
  const [shown, setShown] = useState<PersonFormProps>()
  if (shown) return <CodeForm shown={shown} onBack={() => setShown(undefined)} onDone={onDone} />
  return (
    <Form
      submit="Sign in"
      fullWidth
      onSubmit={async (values) => {
        const body = { email: values.text('email') ?? '', password: values.exact('password') }
        setEmail(body.email)
        try {
          return (await api().session.create({ body })).data
        } catch (error) {
          if (!needsCode(error)) throw error
          setShown(body)
          return undefined
        }
      }}
      explain={(failure) => (isSignedOut(failure) ? wrong : failure)}
      onDone={(session) => session && onDone(session)}
    >
      <TextField
        label="Address"
        name="email"
        type="email"
        autoComplete="username"
        defaultValue={email}
        autoFocus={email === ''}
      />
      <TextField
        label="Password"
        name="password"
        type="password"
        autoComplete="current-password"
        autoFocus={email !== ''}
      />
    </Form>
  )
}

/** The second step, after the password was accepted. */
function CodeForm({
  shown,
  onBack,
  onDone,
}: {
  shown: PersonFormProps
  onBack(): void
  onDone(session: Session): void
}) {
  const [recovery, setRecovery] = useState(false)
  return (
    <>
      <Form
        key={String(recovery)}
        submit="Sign in"
        fullWidth
        onSubmit={async (values) =>
          (await api().session.create({ body: { ...shown, code: values.text('code') ?? '' } })).data
        }
        explain={(failure) => (needsCode(failure) ? new FieldError('code', 'Wrong or already used code.') : failure)}
        onDone={onDone}
      >
        <p className="quiet small">Signing in as {shown.email}</p>
        <CodeField of={recovery ? 'recovery' : 'app'} />
      </Form>
      <div className="split">
        <Button kind="plain" small onClick={() => setRecovery(!recovery)}>
          {recovery ? 'Use the authenticator app' : 'Use a recovery code'}
        </Button>
        <Button kind="plain" small onClick={onBack}>
          Back
        </Button>
      </div>
    </>
  )
}
