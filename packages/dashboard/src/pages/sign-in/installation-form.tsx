import type { Session } from '@waypost/sdk'
import { api, isSignedOut } from '../../api.ts'
import { FieldError, Form, TextField } from '../../components/form.tsx'

/** The one password of the installation, which the first start printed. */
export function InstallationForm({ onDone }: { onDone(session: Session): void }) {
  return (
    <>
      <Form
        submit="Sign in"
        wide
        onSubmit={async (values) => (await api().session.create({ body: { password: values.exact('password') } })).data}
        explain={(failure) => (isSignedOut(failure) ? new FieldError('password', 'This password is wrong.') : failure)}
        onDone={onDone}
      >
        {/* Password managers want to know whose password it is. */}
        <input hidden readOnly name="username" value="admin" autoComplete="username" />
        <TextField
          label="Administrator's password"
          name="password"
          type="password"
          autoComplete="current-password"
          autoFocus
        />
      </Form>
      <p className="quiet small">
        The first start of the service printed it. <code>waypost dashboard link</code> makes a link that signs in
        without it.
      </p>
    </>
  )
}
