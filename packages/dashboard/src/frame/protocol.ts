/** What the page and the frame that shows a message tell each other. */

/** What the page gives the frame: once, after the frame said that it is there. */
export interface ShowRequest {
  kind: 'show'
  body: string
  /** As it is, or only its text. */
  as: 'message' | 'text'
  /** Whether images of other servers may be loaded; the frame's own policy has the last word. */
  remote: boolean
  theme: string | undefined
}

/** Images that came with the message, by their content id. */
export interface ImagesRequest {
  kind: 'images'
  images: ReadonlyMap<string, Blob>
}

export type FrameRequest = ShowRequest | ImagesRequest

export type FrameNews =
  | { kind: 'ready' }
  /** It stands: how many remote images were left out, and whether it has colours of its own, for light paper. */
  | { kind: 'shown'; blocked: number; coloured: boolean }
  | { kind: 'height'; height: number }
  | { kind: 'link'; href: string; text: string }
