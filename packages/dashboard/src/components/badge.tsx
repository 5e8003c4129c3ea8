import type { ReactNode } from 'react'

export type Tone = 'good' | 'warn' | 'bad' | 'info' | 'neutral'

export function Badge({
  tone = 'neutral',
  plain = false,
  children,
}: {
  tone?: Tone
  plain?: boolean
  children: ReactNode
}) {
  return <span className={`badge ${tone} ${plain ? 'plain' : ''}`}>{children}</span>
}

const tones: Record<string, Tone> = {
  valid: 'good',
  active: 'good',
  delivered: 'good',
  watching: 'good',
  failing: 'warn',
  waiting: 'warn',
  starting: 'info',
  resting: 'neutral',
  invalid: 'bad',
  failed: 'bad',
  blocked: 'bad',
  revoked: 'bad',
  expired: 'warn',
  sandbox: 'info',
  invited: 'info',
}
const words: Record<string, string> = { pause: 'paused', off: 'not watched', unsupported: 'not supported' }

/** A badge for a status value of the API. */
export function Status({ of }: { of: string }) {
  return <Badge tone={tones[of] ?? 'neutral'}>{words[of] ?? of}</Badge>
}
