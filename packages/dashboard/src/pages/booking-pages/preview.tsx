/** The hosted page with the values of the editor, saved or not. It books nothing. */
import type { Configuration, UiSettings } from '@waypost/sdk'
import { useEffect, useId, useRef, useState } from 'react'
import { pageBase } from '../../api.ts'
import { Card } from '../../components/page.tsx'
import { ownerOf } from './kinds.ts'

/** Sent by the page when it listens. */
const ready = 'waypost-preview-ready'

/** What the page shows of a configuration. */
export function settingsOf(draft: Configuration): Partial<UiSettings> {
  const { email_template: _, ...scheduler } = draft.scheduler
  const owner = ownerOf(draft)
  const { duration_minutes: duration } = draft.availability
  return {
    name: draft.name,
    slug: draft.slug,
    type: draft.type,
    booking_type: draft.event_booking.booking_type ?? 'booking',
    appearance: draft.appearance,
    scheduler,
    ...(duration ? { duration_minutes: duration } : {}),
    ...(draft.event_booking.timezone ? { timezone: draft.event_booking.timezone } : {}),
    ...(owner ? { organizer: { name: owner.name ?? '', email: owner.email } } : {}),
  }
}

const sizes = { desktop: { width: 960, height: 700 }, phone: { width: 380, height: 700 } } as const

function PreviewFrame({ url, draft, width }: { url: string; draft: Configuration; width: keyof typeof sizes }) {
  const place = useRef<HTMLDivElement>(null)
  const frame = useRef<HTMLIFrameElement>(null)
  const [isReady, setReady] = useState(false)
  const size = sizes[width]
  const [room, setRoom] = useState<number>(size.width)
  useEffect(() => {
    const element = place.current
    if (!element) return undefined
    const observer = new ResizeObserver(() => setRoom(element.clientWidth))
    observer.observe(element)
    return () => observer.disconnect()
  }, [])
  useEffect(() => {
    const onMessage = ({ source, origin, data }: MessageEvent<{ kind?: unknown } | null>): void => {
      const isFrame = origin === window.location.origin && source !== null && source === frame.current?.contentWindow
      if (isFrame && data?.kind === ready) setReady(true)
    }
    window.addEventListener('message', onMessage)
    return () => window.removeEventListener('message', onMessage)
  }, [])
  useEffect(() => {
    if (!isReady) return
    const message = { kind: 'waypost-preview', settings: settingsOf(draft) }
    frame.current?.contentWindow?.postMessage(message, window.location.origin)
  }, [isReady, draft])
  const scale = Math.min(1, room / size.width)
  return (
    <div ref={place} className="preview-place" style={{ height: size.height * scale }}>
      <iframe
        ref={frame}
        title="Preview of the booking page"
        src={url}
        style={{ width: size.width, height: size.height, transform: `scale(${scale})` }}
      />
    </div>
  )
}

export function Preview({
  application,
  draft,
  saved,
}: {
  application: string
  draft: Configuration
  /** The configuration as it is stored. The times of the page come from it. */
  saved: Configuration
}) {
  const [width, setWidth] = useState<keyof typeof sizes>('phone')
  const id = useId()
  if (saved.requires_session_auth) {
    return (
      <Card title="Preview">
        <p className="card-body quiet">A private page needs a session of a guest, so it has no preview.</p>
      </Card>
    )
  }
  const prefix = pageBase.replace(/\/dashboard$/, '')
  const url = `${prefix}/book/${application}/${saved.slug || saved.id}?preview=yes`
  return (
    <Card
      title="Preview"
      lead="Shows texts, colors and questions as they are now. Times follow after saving. Nothing is booked."
      actions={
        <span className="page-size">
          <label htmlFor={id}>Width</label>
          <select
            id={id}
            className="input"
            value={width}
            onChange={(event) => setWidth(event.currentTarget.value as keyof typeof sizes)}
          >
            <option value="desktop">Desktop</option>
            <option value="phone">Phone</option>
          </select>
        </span>
      }
    >
      <div className="card-body">
        {/* The times of a page that was saved are read again. */}
        <PreviewFrame key={JSON.stringify([url, saved.availability, saved.participants])} {...{ url, draft, width }} />
      </div>
    </Card>
  )
}
