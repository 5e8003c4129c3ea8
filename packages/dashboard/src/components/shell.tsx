/** The frame around every page: header, menu and application choice. */

import { type ReactNode, useEffect, useState } from 'react'
import { Link, useLocation } from 'wouter'
import icon from '../icon.svg'
import { useIdleSignOut } from '../idle.ts'
import { useFirstApplication, useVersion, useWaitingApprovals } from '../queries.ts'
import { type MyRights, roleNames, useRights, useSession } from '../rights.ts'
import { ApplicationChoice } from './application-choice.tsx'
import { Button } from './button.tsx'
import { Icon, type IconName } from './icons.tsx'
import { Keyboard } from './keyboard.tsx'
import { SignOutButton } from './sign-out-button.tsx'

type Entry = readonly [path: string, text: string, icon: IconName]

const ofApplication: readonly Entry[] = [
  ['', 'Overview', 'overview'],
  ['/grants', 'Grants', 'grants'],
  ['/workspaces', 'Workspaces', 'workspaces'],
  ['/connectors', 'Connectors', 'connectors'],
  ['/webhooks', 'Destinations', 'webhooks'],
  ['/booking-pages', 'Booking pages', 'booking'],
  ['/agents', 'Agents', 'agents'],
  ['/approvals', 'Approvals', 'approvals'],
  ['/explorer', 'Explorer', 'explorer'],
  ['/usage', 'Usage', 'usage'],
  ['/api-keys', 'API keys', 'keys'],
  ['/settings', 'Settings', 'settings'],
]
const ofService: readonly Entry[] = [
  ['/applications', 'Applications', 'applications'],
  ['/health', 'Health', 'health'],
  ['/failed-jobs', 'Failed jobs', 'jobs'],
  ['/audit', 'Audit', 'audit'],
  ['/people', 'People', 'people'],
  ['/service-accounts', 'Service accounts', 'serviceAccounts'],
  ['/account', 'Account', 'account'],
]

/** Pages that only some roles can use. They are hidden from the menu of others. */
const reserved: Readonly<Record<string, (rights: MyRights) => boolean>> = {
  '/explorer': ({ change, customerData }) => change && customerData,
  '/health': ({ service }) => service,
  '/people': ({ people }) => people,
  '/service-accounts': ({ people }) => people,
}

/** The application of the page: the one in the URL, or the one viewed last. */
function useCurrentApplication(): string | undefined {
  const [location] = useLocation()
  const named = /^\/a\/([^/]+)/.exec(location)?.[1]
  const first = useFirstApplication(named === undefined)
  useEffect(() => {
    if (named) localStorage.setItem('waypost-application', named)
  }, [named])
  return named ?? first.data ?? undefined
}

function useOffered(entries: readonly Entry[]): readonly Entry[] {
  const rights = useRights()
  return entries.filter(([path]) => reserved[path]?.(rights) ?? true)
}

/** All pages by full path. */
function usePages(application: string | undefined): readonly Entry[] {
  const own = useOffered(ofApplication)
  const service = useOffered(ofService)
  const here = application === undefined ? [] : own
  return [...here.map(([path, ...rest]): Entry => [`/a/${application}${path}`, ...rest]), ...service]
}

interface LinksProps {
  base: string
  entries: readonly Entry[]
  label: string
  /** What is shown behind an entry, by path. */
  counts?: Readonly<Record<string, ReactNode>>
}

function Links({ base, entries, label, counts }: LinksProps) {
  const [location] = useLocation()
  const offered = useOffered(entries)
  return (
    <nav className="nav" aria-label={label}>
      {offered.map(([path, text, name]) => {
        const to = `${base}${path}`
        const current = path === '' ? location === to : location === to || location.startsWith(`${to}/`)
        return (
          <Link key={path} href={to} aria-current={current ? 'page' : undefined}>
            <Icon name={name} />
            {text}
            {counts?.[path]}
          </Link>
        )
      })}
    </nav>
  )
}

/** The number of actions that wait for a person. */
function WaitingCount({ application }: { application: string }) {
  const { data } = useWaitingApprovals(application)
  if (!data || data.count === 0) return null
  const shown = data.more ? `${data.count}+` : data.count
  return (
    <span className="nav-count">
      {shown}
      <span className="hidden"> waiting</span>
    </span>
  )
}

function Switcher({ current }: { current: string }) {
  const [location, navigate] = useLocation()
  const section = /^\/a\/[^/]+(\/[^/]+)?/.exec(location)?.[1] ?? ''
  return (
    <div className="switcher">
      <ApplicationChoice label="Application" value={current} onChoose={(id) => navigate(`/a/${id}${section}`)} />
    </div>
  )
}

/** The version of the node that responds; nothing until it is known. */
function Version() {
  const { data } = useVersion()
  return data === undefined ? null : <p className="version quiet small">Version {data}</p>
}

export function Shell({ children }: { children: ReactNode }) {
  const [location] = useLocation()
  const [open, setOpen] = useState(false)
  const application = useCurrentApplication()
  const pages = usePages(application)
  useIdleSignOut()
  useEffect(() => {
    setOpen(false)
    window.scrollTo(0, 0)
  }, [location])
  return (
    <div className="shell">
      <a className="skip" href="#main">
        Skip to content
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
        <Keyboard application={application} pages={pages} />
        {application !== undefined && (
          <>
            <Switcher current={application} />
            <Links
              base={`/a/${application}`}
              entries={ofApplication}
              label="Application pages"
              counts={{ '/approvals': <WaitingCount application={application} /> }}
            />
          </>
        )}
        <div className="side-foot">
          <div className="nav-title">Service</div>
          <Links base="" entries={ofService} label="Service pages" />
          <SignedIn />
          <Version />
        </div>
      </aside>
      <main className="main" id="main" tabIndex={-1}>
        {children}
      </main>
    </div>
  )
}

/** The signed-in user at the bottom of the menu, and the sign-out button. */
function SignedIn() {
  const session = useSession()
  if (!session) return null
  const { person, rights } = session
  return (
    <section className="signed-in" aria-label="Signed in">
      <span className="who">
        <strong title={person?.email ?? 'Signed in with the installation password or a one-time link'}>
          {person?.name ?? 'Installation'}
        </strong>
        <span className="quiet">{roleNames[rights.role]}</span>
      </span>
      <SignOutButton />
    </section>
  )
}
