/** A preview of the hosted page, rendered by the service in a frame that is not interactive. */
import type { Application } from '@waypost/sdk'
import { type ReactNode, useEffect, useId, useRef, useState } from 'react'
import { pageBase } from '../../api.ts'
import { Card } from '../../components/page.tsx'
import { useConnectors } from '../../queries.ts'
import type { Hosted } from './hosted-settings.ts'

const views: readonly (readonly [value: string, text: string])[] = [
  ['choice', 'Provider list'],
  ['address', 'Address'],
  ['password', 'Password'],
  ['error', 'Expired sign-in'],
]
const languages: readonly (readonly [value: string, text: string])[] = [
  ['en', 'English'],
  ['de', 'Deutsch'],
  ['es', 'Español'],
  ['fr', 'Français'],
  ['it', 'Italiano'],
  ['nl', 'Nederlands'],
  ['pl', 'Polski'],
  ['pt', 'Português'],
  ['ja', '日本語'],
  ['zh-Hans', '简体中文'],
]
const schemes: readonly (readonly [value: string, text: string])[] = [
  ['light', 'Light'],
  ['dark', 'Dark'],
]
const widths: readonly (readonly [value: string, text: string])[] = [
  ['desktop', 'Desktop'],
  ['phone', 'Phone'],
]

/** Viewport size of the preview in pixels. */
const sizes = { desktop: { width: 960, height: 760 }, phone: { width: 360, height: 680 } } as const
/** Delay after the last keystroke before the preview is updated. */
const pauseMs = 300

function Choice({
  label,
  value,
  options,
  onChange,
}: {
  label: string
  value: string
  options: readonly (readonly [value: string, text: string])[]
  onChange(value: string): void
}) {
  const id = useId()
  return (
    <div className="preview-choice">
      <label htmlFor={id}>{label}</label>
      <select id={id} className="input" value={value} onChange={(event) => onChange(event.currentTarget.value)}>
        {options.map(([each, text]) => (
          <option key={each} value={each}>
            {text}
          </option>
        ))}
      </select>
    </div>
  )
}

/** A frame with a fixed viewport, scaled down to fit. Its navigation adds no history entries. */
function ScaledFrame({ url, size }: { url: string; size: { width: number; height: number } }) {
  const place = useRef<HTMLDivElement>(null)
  const frame = useRef<HTMLIFrameElement>(null)
  const [first] = useState(url)
  const [room, setRoom] = useState(size.width)
  useEffect(() => {
    const element = place.current
    if (!element) return undefined
    const observer = new ResizeObserver(() => setRoom(element.clientWidth))
    observer.observe(element)
    return () => observer.disconnect()
  }, [])
  const shown = useRef(first)
  useEffect(() => {
    const timer = setTimeout(() => {
      if (shown.current === url) return
      shown.current = url
      frame.current?.contentWindow?.location.replace(url)
    }, pauseMs)
    return () => clearTimeout(timer)
  }, [url])
  const scale = Math.min(1, room / size.width)
  return (
    <div ref={place} className="preview-place" style={{ height: size.height * scale }}>
      <iframe
        ref={frame}
        title="Hosted page preview"
        sandbox=""
        src={first}
        tabIndex={-1}
        style={{ width: size.width, height: size.height, transform: `scale(${scale})` }}
      />
    </div>
  )
}

export function HostedPreview({
  application: { application_id: id, branding },
  hosted,
  children,
}: {
  application: Application
  hosted: Hosted
  children: ReactNode
}) {
  const [view, setView] = useState('choice')
  const [language, setLanguage] = useState('en')
  const [scheme, setScheme] = useState('light')
  const [width, setWidth] = useState('desktop')
  const connectors = useConnectors(id)
  const query = new URLSearchParams({
    branding: JSON.stringify({ name: branding.name, icon_url: branding.icon_url }),
    hosted_authentication: JSON.stringify(hosted),
    kinds: (connectors.data ?? []).map(({ provider }) => provider).join(','),
    ui_locales: language,
    view,
    scheme,
  })
  const url = `${pageBase}/hosted-preview?${query}`
  return (
    <Card title="Preview" lead="Shows the page with the current form values, saved or not. It is not interactive.">
      <div className="card-body preview">
        <div className="preview-choices">
          <Choice label="Page" value={view} options={views} onChange={setView} />
          <Choice label="Language" value={language} options={languages} onChange={setLanguage} />
          <Choice label="Appearance" value={scheme} options={schemes} onChange={setScheme} />
          <Choice label="Width" value={width} options={widths} onChange={setWidth} />
        </div>
        {!connectors.isPending && <ScaledFrame url={url} size={width === 'phone' ? sizes.phone : sizes.desktop} />}
        {children}
      </div>
    </Card>
  )
}
