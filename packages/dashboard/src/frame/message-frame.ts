/**
 * The frame that shows one message. Its document is of no origin, has a policy of its own, under which nothing runs but
 * this, and nothing is loaded but what the message brings along; with the reader's consent, images over TLS. It asks the
 * page for the message, shows it, and says how high it is and which link was chosen. It is made harmless here: the page
 * itself never parses it.
 */
import tokens from '../styles/tokens.css?inline'
import { cleanMessage } from './clean-message.ts'
import css from './message-frame.css?inline'
import { isHtml, piecesOf } from './plain-text.ts'
import type { FrameNews, FrameRequest, ImagesRequest, ShowRequest } from './protocol.ts'

// Held before anything of the message is there: names in it must not stand for these.
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

/** Shows HTML; what of the body's own looks is to be the frame's goes to its body. */
function showHtml({ body: html, remote }: ShowRequest): { blocked: number; coloured: boolean } {
  const cleaned = cleanMessage(html, remote)
  for (const name of ['style', 'bgcolor', 'text', 'link', 'class', 'dir', 'lang', 'align']) {
    const value = cleaned.body.getAttribute(name)
    if (value !== null) body.setAttribute(name, value)
  }
  for (const style of cleaned.styles) addStyle(style)
  message.replaceChildren(...Array.from(cleaned.body.childNodes))
  const coloured = cleaned.coloured || body.hasAttribute('bgcolor') || body.hasAttribute('text')
  return { blocked: cleaned.blocked, coloured }
}

function show(request: ShowRequest): void {
  if (request.theme) root.dataset.theme = request.theme
  if (!isHtml(request.body)) {
    showText(request.body)
    tell({ kind: 'shown', blocked: 0, coloured: false })
    return
  }
  const shown = showHtml(request)
  if (request.as === 'text') {
    const text = message.innerText
    for (const style of Array.from(head.querySelectorAll('style')).slice(1)) style.remove()
    for (const { name } of Array.from(body.attributes)) body.removeAttribute(name)
    showText(text)
    tell({ kind: 'shown', blocked: 0, coloured: false })
    return
  }
  if (shown.coloured) root.dataset.paper = 'light'
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

/** Says how high the message is, when that changes; one that grows with its frame is told so often and no more. */
function tellHeight(): void {
  let last = 0
  let left = 200
  const look = (): void => {
    const height = Math.ceil(message.getBoundingClientRect().bottom + window.scrollY) + 16
    if (height === last || left <= 0) return
    left -= 1
    last = height
    tell({ kind: 'height', height })
  }
  new ResizeObserver(look).observe(message)
  message.addEventListener('load', look, true)
}

/** No link is followed here: the page says where it leads. */
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
    tellHeight()
  }
})
tell({ kind: 'ready' })
