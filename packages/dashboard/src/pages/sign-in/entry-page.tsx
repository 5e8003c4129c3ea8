/** The frame of pages before the sign-in. */
import { type ReactNode, useEffect } from 'react'
import icon from '../../icon.svg'

export function EntryPage({ title, children }: { title: string; children: ReactNode }) {
  useEffect(() => {
    document.title = `${title} · Waypost`
  }, [title])
  return (
    <main className="sign-in">
      <div className="brand">
        <img src={icon} alt="" />
        Waypost
      </div>
      <section className="card">
        <div className="card-body stack">
          <h1>{title}</h1>
          {children}
        </div>
      </section>
    </main>
  )
}
