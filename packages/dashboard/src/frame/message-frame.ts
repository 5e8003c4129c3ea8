/**
 * The script of the frame that shows one message. Its document has an opaque origin and its own
 * Content-Security-Policy: only this script runs, and only resources of the message are loaded, plus https images if
 * the reader allows them. It requests the message from the page, renders it, and reports its height and clicked
 * links. The message is sanitized here; the page itself never parses it.
 */
import tokens from '../styles/tokens.css?inline'
import { cleanMessage } from './clean-message.ts'
import css from './message-frame.css?inline'
import { isHtml, piecesOf } from './plain-text.ts'
import type { FrameNews, FrameRequest, ImagesRequest, ShowRequest } from './protocol.ts'

// References taken before the message is rendered, because names in a message could shadow document properties.
const { documentElement: root, head, body } = document
const page = window.parent
const message = document.createElement('div')

const tell = (news: FrameNews): void => page.postMessage(news, '*')

function addStyle(text: string): void {
  const style = document.createElement('style')
  style.textContent = text
  head.append(style)
}

function showText(text: string): void {
  message.classList.add('text')
  message.replaceChildren(
    ...piecesOf(text).map(({ text: words, href }) => {
      if (href === undefined) return document.createTextNode(words)
      const link = document.createElement('a')
      link.href = href
      link.textContent = words
      return link
    }),
  )
}

/** Renders HTML. Attributes of the message's body element that affect its report are applied to the frame's body. */
function showHtml({ body: html, remote }: ShowRequest): { blocked: number; colored: boolean } {
  const cleaned = cleanMessage(html, remote)
  for (const name of ['style', 'bgcolor', 'text', 'link', 'class', 'dir', 'lang', 'align']) {
    const value = cleaned.body.getAttribute(name)
    if (value !== null) body.setAttribute(name, value)
  }
  for (const style of cleaned.styles) addStyle(style)
  message.replaceChildren(...Array.from(cleaned.body.childNodes))
  const colored = cleaned.colored || body.hasAttribute('bgcolor') || body.hasAttribute('text')
  return { blocked: cleaned.blocked, colored }
}

function show(request: ShowRequest): void {
  if (request.theme) root.dataset.theme = request.theme
  if (!isHtml(request.body)) {
    showText(request.body)
    tell({ kind: 'shown', blocked: 0, colored: false })
    return
  }
  const shown = showHtml(request)
  if (request.as === 'text') {
    const text = message.innerText
    for (const style of Array.from(head.querySelectorAll('style')).slice(1)) style.remove()
    for (const { name } of Array.from(body.attributes)) body.removeAttribute(name)
    showText(text)
    tell({ kind: 'shown', blocked: 0, colored: false })
    return
  }
  if (shown.colored) root.dataset.paper = 'light'
  tell({ kind: 'shown', ...shown })
}

const shownTypes = /^image\/(?:png|gif|jpe?g|webp|avif|bmp)$/i

function showImages({ images }: ImagesRequest): void {
  for (const image of Array.from(message.querySelectorAll<HTMLImageElement>('img[data-content-id]'))) {
    const found = images.get(image.dataset.contentId ?? '')
    if (!found || !shownTypes.test(found.type)) continue
    image.src = URL.createObjectURL(found)
    image.removeAttribute('data-content-id')
  }
}

/**
 * Reports the height when it changes. A message that grows with its frame would loop, so the number of reports is
 * limited.
 */
function reportHeight(): void {
  let last = 0
  let left = 200
  const report = (): void => {
    const height = Math.ceil(message.getBoundingClientRect().bottom + window.scrollY) + 16
    if (height === last || left <= 0) return
    left -= 1
    last = height
    tell({ kind: 'height', height })
  }
  new ResizeObserver(report).observe(message)
  message.addEventListener('load', report, true)
}

/** Links are never followed in the frame; the page shows the target first. */
function onLink(event: MouseEvent): void {
  const link = event.target instanceof Element ? event.target.closest('a, area') : null
  if (!link) return
  event.preventDefault()
  const href = link.getAttribute('href')
  if (href) tell({ kind: 'link', href, text: (link.textContent ?? '').trim().slice(0, 200) })
}

addStyle(`${tokens}\n${css}`)
message.className = 'message'
body.append(message)
document.addEventListener('click', onLink, true)
document.addEventListener('auxclick', onLink, true)
document.addEventListener('submit', (event) => event.preventDefault(), true)

let isShown = false
window.addEventListener('message', ({ source, data }: MessageEvent<FrameRequest>) => {
  if (source !== page) return
  if (data.kind === 'images') showImages(data)
  else if (data.kind === 'show' && !isShown) {
    isShown = true
    show(data)
    reportHeight()
  }
})
tell({ kind: 'ready' })
