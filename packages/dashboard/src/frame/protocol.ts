/** Messages between the page and the frame that shows a mail message. */

/** Sent once to the frame after it reported that it is ready. */
export interface ShowRequest {
  kind: 'show'
  body: string
  /** Show the message as HTML, or only its text. */
  as: 'message' | 'text'
  /** Whether remote images may be loaded. The frame's Content-Security-Policy has the final say. */
  remote: boolean
  theme: string | undefined
}

/** Inline images of the message by content id. */
export interface ImagesRequest {
  kind: 'images'
  images: ReadonlyMap<string, Blob>
}

export type FrameRequest = ShowRequest | ImagesRequest

export type FrameNews =
  | { kind: 'ready' }
  /**
   * The message is rendered: number of blocked remote images, and whether it has its own colors and needs a light
   * background.
   */
  | { kind: 'shown'; blocked: number; colored: boolean }
  | { kind: 'height'; height: number }
  | { kind: 'link'; href: string; text: string }
