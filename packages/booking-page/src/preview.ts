/** The preview in the dashboard: the parent of the same origin sends settings that are not saved yet. */
import type { BookingPageData } from '@waypost/contract/booking-page'
import { colorsOf, hexOf } from '@waypost/contract/hosted-colors'

type Settings = BookingPageData['settings']

/** The colors that the server writes into the page, for a color that is not saved yet. */
function paint(color: string | undefined): void {
  const [light, dark] = (['light', 'dark'] as const).map((scheme) => colorsOf({ color_primary: color }, scheme))
  if (!light || !dark) return
  for (const [name, part] of [
    ['--fill', 'fill'],
    ['--on-fill', 'onFill'],
    ['--link', 'link'],
  ] as const) {
    document.documentElement.style.setProperty(name, `light-dark(${hexOf(light[part])},${hexOf(dark[part])})`)
  }
}

export function followPreview(settings: Settings, changed: (settings: Settings) => void): void {
  window.addEventListener('message', ({ source, origin, data }: MessageEvent) => {
    if (source !== window.parent || origin !== location.origin || data?.kind !== 'waypost-preview') return
    const sent: Partial<Settings> = data.settings ?? {}
    const merged = { ...settings, ...sent, scheduler: { ...settings.scheduler, ...sent.scheduler } }
    paint(merged.appearance?.color)
    changed(merged)
  })
  window.parent.postMessage({ kind: 'waypost-preview-ready' }, location.origin)
}
