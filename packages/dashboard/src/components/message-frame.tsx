/** The body of a message in a sandboxed frame that cannot affect the page (`frame/message-frame.ts`). */
import { useEffect, useRef, useState } from 'react'
import { pageBase } from '../api.ts'
import type { FrameNews, FrameRequest } from '../frame/protocol.ts'
import '../styles/message-frame.css'
import { Button } from './button.tsx'
import { LeavingLink } from './leaving-link.tsx'

/** Height of the frame in pixels. Higher messages scroll inside it. */
const bounds = { least: 60, max: 8000 }
/** Allowed link targets, whatever the frame reports. */
const leading = /^(?:https?:\/\/|mailto:|tel:)/i
/** Bodies up to this many characters are shown without a click. */
const large = 1_500_000

export interface MessageFrameProps {
  body: string
  /** Accessible name of the frame. */
  title: string
  as?: 'message' | 'text'
  /** Inline images of the message by content id. */
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
      {/* A different policy needs a new document, so the frame is recreated. */}
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
  const [state, setState] = useState({ ready: false, shown: false, colored: false, height: 120 })
  const [link, setLink] = useState<{ href: string; text: string }>()

  useEffect(() => {
    const onMessage = ({ source, data }: MessageEvent<FrameNews>): void => {
      if (source === null || source !== frame.current?.contentWindow) return
      if (data.kind === 'ready') setState((now) => ({ ...now, ready: true }))
      else if (data.kind === 'shown') {
        setState((now) => ({ ...now, shown: true, colored: data.colored }))
        onBlocked(Number(data.blocked))
      } else if (data.kind === 'height') {
        const height = Math.min(Math.max(Number(data.height) || 0, bounds.least), bounds.max)
        setState((now) => ({ ...now, height }))
      } else if (data.kind === 'link' && leading.test(data.href)) setLink({ href: data.href, text: String(data.text) })
    }
    window.addEventListener('message', onMessage)
    return () => window.removeEventListener('message', onMessage)
  }, [onBlocked])

  // The frame has an opaque origin, so messages cannot be addressed to it. The body is therefore sent only once: a
  // document loaded later in this frame gets nothing.
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
        // Messages with their own colors are shown on a light background in both themes.
        style={{ height: state.height, colorScheme: state.colored ? 'light' : undefined }}
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
