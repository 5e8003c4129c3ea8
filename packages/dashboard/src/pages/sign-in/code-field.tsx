import { TextField } from '../../components/form.tsx'

/** A code of the second factor: of the authenticator app, one of those for when it is lost, or either of them. */
export function CodeField({ of }: { of: 'app' | 'recovery' | 'either' }) {
  if (of === 'recovery') {
    return (
      <TextField label="Recovery code" name="code" autoFocus hint="One of those that you kept. Each is good once." />
    )
  }
  if (of === 'either') {
    const hint = 'You have a second factor: six digits that your app shows, or a recovery code.'
    return <TextField label="Code" name="code" autoComplete="one-time-code" hint={hint} />
  }
  return (
    <TextField
      label="Code"
      name="code"
      inputMode="numeric"
      autoComplete="one-time-code"
      pattern="[0-9 ]{6,7}"
      title="Six digits"
      autoFocus
      hint="Six digits that your authenticator app shows."
    />
  )
}
