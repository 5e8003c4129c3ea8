import { type ReactNode, useEffect, useRef } from 'react'
import { Link } from 'wouter'
import { Icon } from './icons.tsx'

/** A page with a title, actions and content. The title takes the focus, so that screen readers read it first. */
export function Page({
  title,
  lead,
  back,
  actions,
  children,
}: {
  title: string
  lead?: ReactNode
  back?: { to: string; label: string }
  actions?: ReactNode
  children: ReactNode
}) {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    // If the focus is elsewhere, such as in a filter field, it stays there.
    if (document.activeElement === document.body) heading.current?.focus({ preventScroll: true })
  }, [])
  useEffect(() => {
    document.title = `${title.slice(0, 80)} · Waypost`
  }, [title])
  return (
    <div className="content">
      <header className="page-head">
        <div>
          {back && (
            <Link href={back.to} className="crumb">
              <Icon name="back" />
              {back.label}
            </Link>
          )}
          <h1 ref={heading} tabIndex={-1} className="wrap">
            {title}
          </h1>
          {lead && <p>{lead}</p>}
        </div>
        {actions && <div className="actions">{actions}</div>}
      </header>
      {children}
    </div>
  )
}

/** A section of a page. */
export function Card({
  title,
  lead,
  actions,
  children,
}: {
  title?: string
  lead?: ReactNode
  actions?: ReactNode
  children: ReactNode
}) {
  return (
    <section className="card">
      {title && (
        <div className="card-head">
          <div>
            <h2>{title}</h2>
            {lead && <p>{lead}</p>}
          </div>
          {actions && <div className="actions">{actions}</div>}
        </div>
      )}
      {children}
    </section>
  )
}

export function Facts({ rows }: { rows: readonly (readonly [label: string, value: ReactNode])[] }) {
  return (
    <dl className="facts">
      {rows.map(([label, value]) => (
        <div key={label} className="fact">
          <dt>{label}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  )
}

export function Tiles({ tiles }: { tiles: readonly (readonly [label: string, value: ReactNode, words?: boolean])[] }) {
  return (
    <dl className="tiles">
      {tiles.map(([label, value, words]) => (
        <div className="tile" key={label}>
          <dt>{label}</dt>
          <dd className={words ? 'words' : undefined}>{value}</dd>
        </div>
      ))}
    </dl>
  )
}

/** Tabs that link to pages. */
export function Tabs({
  label,
  tabs,
}: {
  label: string
  tabs: readonly { to: string; text: string; current: boolean }[]
}) {
  return (
    <nav className="tabs" aria-label={label}>
      {tabs.map(({ to, text, current }) => (
        <Link key={to} href={to} aria-current={current ? 'page' : undefined}>
          {text}
        </Link>
      ))}
    </nav>
  )
}
