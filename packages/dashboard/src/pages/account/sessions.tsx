/** Active sessions, each with a button that ends it. */
import type { ListedSession, SignInWay } from '@waypost/sdk'
import { api } from '../../api.ts'
import { Badge } from '../../components/badge.tsx'
import { ActionButton } from '../../components/dialog.tsx'
import { Empty } from '../../components/states.tsx'
import { PagedTable } from '../../components/table.tsx'
import { Time } from '../../components/time.tsx'
import { showToast } from '../../components/toast.tsx'
import { leave, refresh, usePages } from '../../queries.ts'

const ways: Record<SignInWay, string> = {
  password: 'Password',
  link: 'One-time link',
  invitation: 'Invitation',
  oidc: 'OpenID Connect',
}

async function end({ id, current }: ListedSession): Promise<void> {
  await api().session.end({ session_id: id })
  if (current) return leave()
  await refresh('sessions')
  showToast('Session ended')
}

/** The user's own sessions, or those of the given person. */
export function SessionTable({ person }: { person?: string }) {
  const sessions = usePages(['sessions', person ?? 'own'], async (page_token, signal) => {
    const query = { limit: 20, page_token, person_id: person }
    return api().session.list({ query, signal })
  })
  return (
    <PagedTable
      query={sessions}
      lines={2}
      label="Sessions"
      one="session"
      none={<Empty title="No active sessions" />}
      id={({ id }) => id}
      columns={[
        {
          title: 'Browser',
          cell: ({ user_agent, address, current }) => (
            <span className="main-cell">
              <span title={user_agent ?? undefined}>
                {sayBrowser(user_agent)} {current && <Badge tone="good">this session</Badge>}
              </span>
              <span className="quiet wrap">{address}</span>
            </span>
          ),
        },
        { title: 'Signed in with', cell: ({ way }) => ways[way] },
        { title: 'Signed in', kind: 'tight', cell: ({ signed_in_at }) => <Time at={signed_in_at} /> },
        { title: 'Last used', kind: 'tight', cell: ({ seen_at }) => <Time at={seen_at} /> },
      ]}
      actions={(session) => (
        <ActionButton small label={session.current ? 'Sign out' : 'End'} onAct={() => end(session)} />
      )}
    />
  )
}

const browsers: readonly (readonly [pattern: RegExp, name: string])[] = [
  [/\bEdg(e|A|iOS)?\//, 'Edge'],
  [/\bOPR\//, 'Opera'],
  [/\b(Firefox|FxiOS)\//, 'Firefox'],
  [/\b(Chrome|CriOS|HeadlessChrome)\//, 'Chrome'],
  [/\bSafari\//, 'Safari'],
]
const systems: readonly (readonly [pattern: RegExp, name: string])[] = [
  [/\b(iPhone|iPad)\b/, 'iOS'],
  [/\bAndroid\b/, 'Android'],
  [/\bWindows\b/, 'Windows'],
  [/\bMac OS X\b/, 'macOS'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bLinux\b/, 'Linux'],
]

/** A short name for a browser from its User-Agent, enough to recognize one's own sessions. */
function sayBrowser(userAgent: string | null): string {
  if (!userAgent) return 'Unknown browser'
  const browser = browsers.find(([pattern]) => pattern.test(userAgent))?.[1]
  const system = systems.find(([pattern]) => pattern.test(userAgent))?.[1]
  if (!browser) return userAgent.slice(0, 40)
  return system ? `${browser} on ${system}` : browser
}
