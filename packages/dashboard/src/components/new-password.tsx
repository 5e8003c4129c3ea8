/** Fields for a new password and its repetition. */
import { FieldError, TextField, type Values } from './form.tsx'

interface NewPasswordProps {
  label?: string
  name?: string
}

export function NewPasswordFields({ label = 'New password', name = 'new_password' }: NewPasswordProps) {
  const shared = { type: 'password', autoComplete: 'new-password' } as const
  return (
    <>
      <TextField
        {...shared}
        label={label}
        name={name}
        minLength={8}
        hint="At least 8 characters. 15 or more are better."
      />
      <TextField {...shared} label="Repeat password" name="repeated" />
    </>
  )
}

export function newPasswordIn(values: Values, name = 'new_password'): string {
  const password = values.exact(name)
  if (password !== values.exact('repeated')) throw new FieldError('repeated', 'The passwords do not match.')
  return password
}
