import { TextField } from './form.tsx'

/** A second-factor code: from the authenticator app, a recovery code, or either. */
export function CodeField({ of }: { of: 'app' | 'recovery' | 'either' }) {
  if (of === 'recovery') {
    return (
      <TextField
        label="Recovery code"
        name="code"
        autoFocus
        hint="One of your saved recovery codes. Each works once."
      />
    )
  }
  if (of === 'either') {
    const hint = 'Your account has a second factor. Enter the six digits from your app, or a recovery code.'
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
      hint="Six digits from your authenticator app."
    />
  )
}
