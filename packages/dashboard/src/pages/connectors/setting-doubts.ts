/** Warnings about common mistakes in settings. They do not prevent saving. */
const guid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

type Doubt = (value: string) => string | undefined

const doubts: Record<string, Doubt> = {
  'google client_id': (value) =>
    value.endsWith('.apps.googleusercontent.com')
      ? undefined
      : 'Google client IDs end with .apps.googleusercontent.com.',
  'google client_secret': (value) =>
    value.endsWith('.apps.googleusercontent.com') ? 'This looks like the client ID, not the secret.' : undefined,
  'google topic_name': (value) =>
    /^projects\/[^/]+\/topics\/[^/]+$/.test(value) ? undefined : 'Use the form projects/<project>/topics/<topic>.',
  'microsoft client_id': (value) =>
    guid.test(value)
      ? undefined
      : 'The Microsoft Application (client) ID has the form 00000000-0000-0000-0000-000000000000.',
  'microsoft client_secret': (value) =>
    guid.test(value) ? 'This looks like the secret ID. Enter the secret value, which Microsoft shows once.' : undefined,
}

export function doubtOf(kind: string, name: string, value: string): string | undefined {
  if (value === '') return undefined
  return value === value.trim() ? doubts[`${kind} ${name}`]?.(value) : 'Remove the spaces around it.'
}
