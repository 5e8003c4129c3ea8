/**
 * `/book/embed.js`: puts a booking page into the page that contains the script, in a frame that fits its content.
 *
 *   <script src="https://waypost.example.com/book/embed.js" data-client-id="…" data-slug="intro" async></script>
 *
 * Other attributes with `data-` are handed to the page, such as `data-lang` or `data-email`.
 */
const script = document.currentScript

/** Attributes that the script uses itself. */
const own = new Set(['clientId', 'slug', 'target', 'title'])

function start({ src, dataset }: HTMLScriptElement): void {
  const base = new URL('.', src)
  const page = new URL(`${encodeURIComponent(dataset.clientId ?? '')}/${encodeURIComponent(dataset.slug ?? '')}`, base)
  for (const [name, value] of Object.entries(dataset)) {
    if (!own.has(name) && value !== undefined) page.searchParams.set(name, value)
  }
  const frame = document.createElement('iframe')
  frame.src = page.href
  frame.title = dataset.title ?? 'Booking'
  frame.loading = 'lazy'
  frame.style.cssText = 'display:block;width:100%;min-width:280px;height:700px;border:0;color-scheme:normal'
  window.addEventListener('message', ({ source, origin, data }: MessageEvent) => {
    if (source !== frame.contentWindow || origin !== base.origin) return
    if (data?.kind === 'waypost-height' && Number.isFinite(data.height)) {
      frame.style.height = `${Math.min(Math.max(data.height, 200), 5000)}px`
    }
    if (data?.kind === 'waypost-booked') {
      frame.dispatchEvent(new CustomEvent('waypost-booked', { bubbles: true, detail: data.booking }))
    }
  })
  frame.addEventListener('load', () => frame.contentWindow?.postMessage({ kind: 'waypost-hello' }, base.origin))
  const target = dataset.target ? document.querySelector(dataset.target) : null
  if (target) target.append(frame)
  else script?.after(frame)
}

if (script instanceof HTMLScriptElement) start(script)
