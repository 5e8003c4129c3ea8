/** The body of a message, in a frame that can do nothing to the page (`frame/message-frame.ts`). */
import { useEffect, useRef, useState } from 'react'
import { pageBase } from '../api.ts'
import type { FrameNews, FrameRequest } from '../frame/protocol.ts'
import '../styles/message-frame.css'
import { Button } from './button.tsx'
import { LeavingLink } from './leaving-link.tsx'

/** Higher ones are scrolled in their frame. */
const bounds = { least: 60, most: 8000 }
/** Where links may lead, whatever the frame says. */
const leading = /^(?:https?:\/\/|mailto:|tel:)/i
/** Characters of a body that are shown without asking. */
const large = 1_500_000

export interface MessageFrameProps {
  body: string
  /** Names the frame for who does not see it. */
  title: string
  as?: 'message' | 'text'
  /** Images that came with the message, by content id. */
  images?: ReadonlyMap<string, Blob> | undefined
}

export function MessageFrame(props: MessageFrameProps) {
  const [wanted, setWanted] = useState(props.body.length <= large)
  const [remote, setRemote] = useState(false)
  const [blocked, setBlocked] = useState(0)
  if (!wanted) {
    return (
      <div className="note">
        <span>This message is long ({(props.body.length / 1e6).toFixed(1)} million characters).</span>
        <div className="actions">
          <Button small onClick={() => setWanted(true)}>
            Show message
          </Button>
        </div>
      </div>
    )
  }
  return (
    <div className="message-body">
      {blocked > 0 && !remote && (
        <div className="message-note">
          <span>Remote images are blocked. Loading them tells the sender that the message was opened.</span>
          <Button small onClick={() => setRemote(true)}>
            Load images
          </Button>
        </div>
      )}
      {/* Another policy is another document: the frame begins anew. */}
      <Frame key={`${remote} ${props.as}`} {...props} remote={remote} onBlocked={setBlocked} />
    </div>
  )
}

interface FrameProps extends MessageFrameProps {
  remote: boolean
  onBlocked(count: number): void
}

function Frame({ body, title, as = 'message', images, remote, onBlocked }: FrameProps) {
  const frame = useRef<HTMLIFrameElement>(null)
  const [state, setState] = useState({ ready: false, shown: false, coloured: false, height: 120 })
  const [link, setLink] = useState<{ href: string; text: string }>()

  useEffect(() => {
    const onMessage = ({ source, data }: MessageEvent<FrameNews>): void => {
      if (source === null || source !== frame.current?.contentWindow) return
      if (data.kind === 'ready') setState((now) => ({ ...now, ready: true }))
      else if (data.kind === 'shown') {
        setState((now) => ({ ...now, shown: true, coloured: data.coloured }))
        onBlocked(Number(data.blocked))
      } else if (data.kind === 'height') {
        const height = Math.min(Math.max(Number(data.height) || 0, bounds.least), bounds.most)
        setState((now) => ({ ...now, height }))
      } else if (data.kind === 'link' && leading.test(data.href)) setLink({ href: data.href, text: String(data.text) })
    }
    window.addEventListener('message', onMessage)
    return () => window.removeEventListener('message', onMessage)
  }, [onBlocked])

  // The frame has no origin that could be named. It is handed the message once: nothing that came after it gets another.
  const handed = useRef(false)
  useEffect(() => {
    if (!state.ready || handed.current) return
    handed.current = true
    const theme = document.documentElement.dataset.theme
    send(frame.current, { kind: 'show', body, as, remote, theme })
  }, [state.ready, body, as, remote])

  useEffect(() => {
    if (state.shown && images && images.size > 0) send(frame.current, { kind: 'images', images })
  }, [state.shown, images])

  return (
    <>
      <iframe
        ref={frame}
        className="message-frame"
        // What has colours of its own is shown on light paper, whatever the page is.
        style={{ height: state.height, colorScheme: state.coloured ? 'light' : undefined }}
        sandbox="allow-scripts"
        referrerPolicy="no-referrer"
        src={`${pageBase}/message-frame${remote ? '?images=remote' : ''}`}
        title={title}
        data-shown={state.shown || undefined}
      />
      {link && <LeavingLink {...link} onClose={() => setLink(undefined)} />}
    </>
  )
}

const send = (frame: HTMLIFrameElement | null, request: FrameRequest): void =>
  frame?.contentWindow?.postMessage(request, '*')
