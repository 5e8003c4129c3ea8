/** Starts the page with the data that the server wrote into it. */
import type { BookingPageData } from '@waypost/contract/booking-page'
import { render } from 'preact'
import { App } from './app.tsx'
import { meetParent } from './embed/parent.ts'
import './style.css'

const place = document.getElementById('app')
const written = document.getElementById('data')?.textContent

function start(root: HTMLElement, data: BookingPageData): void {
  root.replaceChildren()
  const show = (settings: BookingPageData['settings']): void => render(<App data={data} settings={settings} />, root)
  show(data.settings)
  meetParent(data.embedOrigins)
  // Only the dashboard needs the code of the preview.
  if (data.isPreview) void import('./preview.ts').then(({ followPreview }) => followPreview(data.settings, show))
}

// The page for an unknown link has no data and needs no script.
if (place && written) start(place, JSON.parse(written))
