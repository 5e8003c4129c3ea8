/** Line icons of the mailbox on a 16 × 16 grid. */
const paths = {
  inbox: 'M2.5 9.5h3l1 2h3l1-2h3M2.5 9.5l2-6h7l2 6v4h-11Z',
  draft: 'M3 13h2.5L13 5.5 10.5 3 3 10.5ZM9 4.5 11.5 7',
  sent: 'M14 2 7.5 8.5M14 2l-4.2 12-2.3-5.5L2 6.2Z',
  junk: 'M8 14A6 6 0 1 0 8 2a6 6 0 0 0 0 12ZM3.8 3.8l8.4 8.4',
  trash: 'M2.5 4.5h11M6 4.5v-2h4v2M4 4.5l.7 9h6.6l.7-9M6.7 7v4M9.3 7v4',
  archive: 'M2 3h12v3H2ZM3 6v7.5h10V6M6.5 8.5h3',
  folder: 'M2 4h4.5L8 5.5h6v7.5H2Z',
  clip: 'M12.5 7.5 7.7 12.3a2.8 2.8 0 0 1-4-4l5.3-5.3a1.9 1.9 0 0 1 2.7 2.7L6.6 10.9a.9.9 0 0 1-1.3-1.3L9.8 5',
  star: 'M8 2.2 9.8 6l4.2.5-3.1 2.9.8 4.1L8 11.5l-3.7 2 .8-4.1L2 6.5 6.2 6Z',
  reply: 'M6.5 4 2.5 8l4 4M2.5 8h6.8c2.6 0 4.2 1.6 4.2 4.5',
  replyAll: 'M8.5 4l-4 4 4 4M5 4 1 8l4 4M4.5 8h5.3c2.6 0 4.2 1.6 4.2 4.5',
  forward: 'M9.5 4l4 4-4 4M13.5 8H6.7c-2.6 0-4.2 1.6-4.2 4.5',
  unread: 'M2 4h12v8.5H2ZM2.3 4.4 8 9l5.7-4.6',
  read: 'M2 6.5 8 2.5l6 4v6.5H2ZM2.3 6.9 8 10.5l5.7-3.6',
  move: 'M2 4h4.5L8 5.5h6v7.5H2ZM5.5 9.3h4.5M8.3 7.5 10 9.3l-1.7 1.7',
  download: 'M8 2.5v7.5M5 7.5 8 10.5l3-3M2.5 13.5h11',
  write: 'M3 13h2.5L13 5.5 10.5 3 3 10.5ZM8 13.5h5.5',
} as const

export type MailIconName = keyof typeof paths

/** Without a label the icon is hidden from screen readers. */
export function MailIcon({ name, label, filled }: { name: MailIconName; label?: string; filled?: boolean }) {
  return (
    <>
      <svg width="16" height="16" viewBox="0 0 16 16" aria-hidden="true">
        <path
          d={paths[name]}
          fill={filled ? 'currentColor' : 'none'}
          stroke="currentColor"
          strokeWidth="1.4"
          strokeLinecap="round"
          strokeLinejoin="round"
        />
      </svg>
      {label !== undefined && <span className="hidden">{label}</span>}
    </>
  )
}
