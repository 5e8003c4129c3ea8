/** The page of an invitation link: the person chooses a password and is signed in. */

import type { Invitation as Invited, Session } from '@waypost/sdk'
import { api, isMissing, needsCode } from '../../api.ts'
import { Button } from '../../components/button.tsx'
import { CodeField } from '../../components/code-field.tsx'
import { FieldError, Form, TextField } from '../../components/form.tsx'
import { NewPasswordFields, newPasswordIn } from '../../components/new-password.tsx'
import { ErrorNote, Skeleton } from '../../components/states.tsx'
import { Time } from '../../components/time.tsx'
import { useData } from '../../queries.ts'
import { roleNames } from '../../rights.ts'
import { EntryPage } from './entry-page.tsx'

function AcceptForm({ token, invited, onDone }: { token: string; invited: Invited; onDone(session: Session): void }) {
  return (
    <Form
      submit="Set password and sign in"
      fullWidth
      own
      onSubmit={async (values) => {
        const password = newPasswordIn(values, 'password')
        const body = { token, name: values.text('name'), password, code: values.text('code') }
        return (await api().invitations.accept({ body })).data
      }}
      explain={(failure) => (needsCode(failure) ? new FieldError('code', 'Wrong or already used code.') : failure)}
      onDone={onDone}
    >
      {/* Tells password managers whose password it is. */}
      <input hidden readOnly name="username" value={invited.email} autoComplete="username" />
      <TextField
        label="Your name"
        name="name"
        autoComplete="name"
        maxLength={256}
        defaultValue={invited.name === invited.email ? '' : invited.name}
        hint="Shown to others next to your changes."
        autoFocus
      />
      <NewPasswordFields label="Password" name="password" />
      {invited.needs_code && <CodeField of="either" />}
    </Form>
  )
}

export function InvitationPage({
  token,
  onDone,
  onLeave,
}: {
  token: string
  onDone(session: Session): void
  onLeave(): void
}) {
  const invited = useData(
    ['session', 'invitation', token],
    (signal) => api().invitations.read({ body: { token }, signal }),
    { staleTime: Infinity, retry: false },
  )
  if (isMissing(invited.error)) {
    return (
      <EntryPage title="This invitation is no longer valid">
        <p>
          It was already used, has expired, or was replaced by a newer one. Ask the person who invited you for a new
          link.
        </p>
        <Button onClick={onLeave}>Go to sign-in</Button>
      </EntryPage>
    )
  }
  return (
    <EntryPage title="You are invited">
      {invited.error && <ErrorNote error={invited.error} onRetry={() => void invited.refetch()} />}
      {invited.isPending && <Skeleton lines={3} />}
      {invited.data && (
        <>
          <p>
            As <strong className="wrap">{invited.data.email}</strong>, with the role{' '}
            {roleNames[invited.data.role].toLowerCase()}. The link expires <Time at={invited.data.expires_at} />.
          </p>
          <AcceptForm token={token} invited={invited.data} onDone={onDone} />
        </>
      )}
    </EntryPage>
  )
}
