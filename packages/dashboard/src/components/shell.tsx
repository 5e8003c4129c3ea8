/** What stands around every page: the way to the others. */
import { type ReactNode, useEffect, useState } from 'react'
import { Link, useLocation } from 'wouter'
import icon from '../icon.svg'
import { useIdleSignOut } from '../idle.ts'
import { useApplications } from '../queries.ts'
import { Button } from './button.tsx'
import { Icon, type IconName } from './icons.tsx'

type Entry = readonly [path: string, text: string, icon: IconName]

const ofApplication: readonly Entry[] = [
  ['', 'Overview', 'overview'],
  ['/grants', 'Grants', 'grants'],
  ['/connectors', 'Connectors', 'connectors'],
  ['/webhooks', 'Webhooks', 'webhooks'],
  ['/explorer', 'Explorer', 'explorer'],
  ['/usage', 'Usage', 'usage'],
  ['/api-keys', 'API keys', 'keys'],
  ['/settings', 'Settings', 'settings'],
]
const ofService: readonly Entry[] = [
  ['/applications', 'Applications', 'applications'],
  ['/health', 'Health', 'health'],
  ['/audit', 'Audit', 'audit'],
  ['/account', 'Account', 'account'],
]

/** The application that the page is of: in the address, or the one looked at last. */
export function useCurrentApplication(): string | undefined {
  const [location] = useLocation()
  const applications = useApplications()
  const named = /^\/a\/([^/]+)/.exec(location)?.[1]
  useEffect(() => {
    if (named) localStorage.setItem('waypost-application', named)
  }, [named])
  if (named) return named
  const last = localStorage.getItem('waypost-application')
  const known = applications.data ?? []
  return (known.find(({ application_id }) => application_id === last) ?? known[0])?.application_id
}

function Links({ base, entries, label }: { base: string; entries: readonly Entry[]; label: string }) {
  const [location] = useLocation()
  return (
    <nav className="nav" aria-label={label}>
      {entries.map(([path, text, name]) => {
        const to = `${base}${path}`
        const current = path === '' ? location === to : location === to || location.startsWith(`${to}/`)
        return (
          <Link key={path} href={to} aria-current={current ? 'page' : undefined}>
            <Icon name={name} />
            {text}
          </Link>
        )
      })}
    </nav>
  )
}

function Switcher({ current }: { current: string }) {
  const [location, navigate] = useLocation()
  const { data = [] } = useApplications()
  const section = /^\/a\/[^/]+(\/[^/]+)?/.exec(location)?.[1] ?? ''
  return (
    <div className="switcher">
      <label htmlFor="application">Application</label>
      <select
        id="application"
        className="input"
        value={current}
        onChange={(event) => navigate(`/a/${event.currentTarget.value}${section}`)}
      >
        {data.map(({ application_id, branding }) => (
          <option key={application_id} value={application_id}>
            {branding.name}
          </option>
        ))}
      </select>
    </div>
  )
}

export function Shell({ children }: { children: ReactNode }) {
  const [location] = useLocation()
  const [open, setOpen] = useState(false)
  const application = useCurrentApplication()
  useIdleSignOut()
  useEffect(() => {
    setOpen(false)
    window.scrollTo(0, 0)
  }, [location])
  return (
    <div className="shell">
      <a className="skip" href="#main">
        Skip to the page
      </a>
      <header className="bar">
        <Link href="/" className="brand">
          <img src={icon} alt="" />
          Waypost
        </Link>
        <Button kind="plain" aria-expanded={open} aria-controls="side" onClick={() => setOpen(!open)}>
          <Icon name={open ? 'cross' : 'menu'} />
          Menu
        </Button>
      </header>
      <aside className="side" id="side" aria-label="Menu" data-open={open || undefined}>
        <Link href="/" className="brand">
          <img src={icon} alt="" />
          Waypost
        </Link>
        {application !== undefined && (
          <>
            <Switcher current={application} />
            <Links base={`/a/${application}`} entries={ofApplication} label="Pages of the application" />
          </>
        )}
        <div className="side-foot">
          <div className="nav-title">Service</div>
          <Links base="" entries={ofService} label="Pages of the service" />
        </div>
      </aside>
      <main className="main" id="main" tabIndex={-1}>
        {children}
      </main>
    </div>
  )
}
