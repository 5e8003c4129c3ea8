import type { Session } from '@waypost/sdk'
import { api, isSignedOut } from '../../api.ts'
import { FieldError, Form, TextField } from '../../components/form.tsx'

/** Sign-in with the installation's password, which the first start printed. */
export function InstallationForm({ onDone }: { onDone(session: Session): void }) {
  return (
    <>
      <Form
        submit="Sign in"
        fullWidth
        onSubmit={async (values) => (await api().session.create({ body: { password: values.exact('password') } })).data}
        explain={(failure) => (isSignedOut(failure) ? new FieldError('password', 'This password is wrong.') : failure)}
        onDone={onDone}
      >
        {/* Tells password managers whose password it is. */}
        <input hidden readOnly name="username" value="admin" autoComplete="username" />
        <TextField
          label="Installation password"
          name="password"
          type="password"
          autoComplete="current-password"
          autoFocus
        />
      </Form>
      <p className="quiet small">
        The service printed it at its first start. Or run <code>waypost dashboard link</code> on the server to create a
        sign-in link.
      </p>
    </>
  )
}
