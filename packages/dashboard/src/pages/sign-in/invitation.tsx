/** What the link of an invitation opens: the person chooses a password, and is signed in. */
import { useQuery } from '@tanstack/react-query'
import type { Invitation as Invited, Session } from '@waypost/sdk'
import { api, isMissing, needsCode } from '../../api.ts'
import { Button } from '../../components/button.tsx'
import { FieldError, Form, TextField } from '../../components/form.tsx'
import { ErrorNote, Skeleton } from '../../components/states.tsx'
import { Time } from '../../components/time.tsx'
import { roleNames } from '../../rights.ts'
import { CodeField } from './code-field.tsx'
import { EntryPage } from './entry-page.tsx'

function AcceptForm({ token, invited, onDone }: { token: string; invited: Invited; onDone(session: Session): void }) {
  return (
    <Form
      submit="Set password and sign in"
      wide
      own
      onSubmit={async (values) => {
        const password = values.exact('password')
        if (password !== values.exact('repeated')) throw new FieldError('repeated', 'The two are not the same.')
        const body = { token, name: values.text('name'), password, code: values.text('code') }
        return (await api().invitations.accept({ body })).data
      }}
      explain={(failure) =>
        needsCode(failure) ? new FieldError('code', 'This code is wrong, or was used before.') : failure
      }
      onDone={onDone}
    >
      {/* Password managers want to know whose password it is. */}
      <input hidden readOnly name="username" value={invited.email} autoComplete="username" />
      <TextField
        label="Your name"
        name="name"
        autoComplete="name"
        maxLength={256}
        defaultValue={invited.name === invited.email ? '' : invited.name}
        hint="Others see it beside what you do."
        autoFocus
      />
      <TextField
        label="Password"
        name="password"
        type="password"
        autoComplete="new-password"
        minLength={8}
        hint="At least 8 characters; 15 or more are better."
      />
      <TextField label="Password, once more" name="repeated" type="password" autoComplete="new-password" />
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
  const invited = useQuery({
    queryKey: ['session', 'invitation', token],
    queryFn: async ({ signal }) => (await api().invitations.read({ body: { token }, signal })).data,
    staleTime: Infinity,
    retry: false,
  })
  if (isMissing(invited.error)) {
    return (
      <EntryPage title="This invitation is no longer good">
        <p>It was used already, has expired, or was replaced by a newer one. Ask who invited you for another link.</p>
        <Button onClick={onLeave}>Go to the sign-in</Button>
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
            {roleNames[invited.data.role].toLowerCase()}. The link ends <Time at={invited.data.expires_at} />.
          </p>
          <AcceptForm token={token} invited={invited.data} onDone={onDone} />
        </>
      )}
    </EntryPage>
  )
}
