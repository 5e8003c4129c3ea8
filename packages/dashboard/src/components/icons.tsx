/** Line icons on a 16 × 16 grid, in the color of the text. */
const paths = {
  overview: 'M2 7.5 8 2.5l6 5M3.5 6.5v7h9v-7M6.5 13.5v-4h3v4',
  grants:
    'M6 7.5a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5ZM1.5 13.5c.4-2.4 2-3.8 4.5-3.8s4.1 1.4 4.5 3.8M10.5 2.8a2.3 2.3 0 0 1 0 4.5M12 10c1.4.5 2.2 1.7 2.5 3.5',
  workspaces: 'M2 5.5h12v8H2ZM5.5 5.5V3h5v2.5M2 9h12',
  serviceAccounts: 'M2.5 3h11v6.5h-11ZM8 9.5v3M5 12.5h6M5.5 6.2h.01M8 6.2h2.5',
  connectors: 'M5.5 2v3.5M10.5 2v3.5M3.5 5.5h9v2.5a4.5 4.5 0 0 1-9 0ZM8 12.5V14.5',
  webhooks: 'M13.5 8 9 3.5M13.5 8 9 12.5M13.5 8H2.5',
  booking: 'M2.5 3.5h11v10h-11ZM2.5 6.5h11M5.5 2v3M10.5 2v3M6 10l1.5 1.5L10.5 8.5',
  explorer: 'M2 3.5h12v9H2ZM4.5 6.5 6.5 8l-2 1.5M8 10h3',
  settings: 'M2.5 4.5h6M11.5 4.5h2M2.5 11.5h2M7.5 11.5h6M8.5 3v3M5 10v3',
  keys: 'M10.5 8.5a3 3 0 1 0-2.8-2L2.5 11.7v1.8H5V12h1.5v-1.5H8L9 9.3c.5.1 1 0 1.5-.8ZM11 5.5h.01',
  agents: 'M3 5.5h10v7H3ZM8 5.5v-3M6.5 2.5h3M5.8 8.5v1.2M10.2 8.5v1.2M1.5 8v2M14.5 8v2',
  approvals: 'M8 1.8 13 4v3.8c0 3-2 5.3-5 6.4-3-1.1-5-3.4-5-6.4V4ZM5.7 8l1.7 1.7 3-3.2',
  usage: 'M2.5 13.5h11M4 11V8M8 11V3.5M12 11V6',
  applications: 'M2.5 2.5h4.5V7H2.5ZM9 2.5h4.5V7H9ZM2.5 9h4.5v4.5H2.5ZM9 9h4.5v4.5H9Z',
  health: 'M1.5 8.5h3L6.5 4l3 8.5 2-4h3',
  jobs: 'M13.5 8a5.5 5.5 0 1 1-1.8-4.1M13.5 1.5v3h-3M8 5v3.5M8 11h.01',
  audit: 'M4 1.5h8v13H4ZM6 5h4M6 8h4M6 11h2.5',
  account: 'M8 7.5A2.75 2.75 0 1 0 8 2a2.75 2.75 0 0 0 0 5.5ZM2.5 14c.5-2.8 2.6-4.3 5.5-4.3s5 1.5 5.5 4.3',
  people:
    'M5.5 7a2.2 2.2 0 1 0 0-4.5 2.2 2.2 0 0 0 0 4.5ZM1.5 13c.4-2.3 1.8-3.5 4-3.5s3.6 1.2 4 3.5M11.5 8.5v4M9.5 10.5h4M11 2.7a2.1 2.1 0 0 1 0 4.1',
  copy: 'M5.5 5.5h8v8h-8ZM10.5 5.5v-3h-8v8h3',
  check: 'M3 8.5 6.5 12 13 4.5',
  cross: 'M4 4l8 8M12 4l-8 8',
  menu: 'M2 4h12M2 8h12M2 12h12',
  back: 'M9.5 3.5 5 8l4.5 4.5',
  search: 'M7 11.5a4.5 4.5 0 1 0 0-9 4.5 4.5 0 0 0 0 9ZM10.5 10.5 14 14',
  download: 'M8 2.5v8M4.5 7 8 10.5 11.5 7M2.5 13.5h11',
  link: 'M6.5 9.5a2.5 2.5 0 0 0 3.6 0l2.4-2.4a2.5 2.5 0 0 0-3.6-3.6L8 4.4M9.5 6.5a2.5 2.5 0 0 0-3.6 0L3.5 8.9a2.5 2.5 0 0 0 3.6 3.6L8 11.6',
  plus: 'M8 3v10M3 8h10',
  eye: 'M1.5 8C3 5.2 5.2 3.8 8 3.8S13 5.2 14.5 8c-1.5 2.8-3.7 4.2-6.5 4.2S3 10.8 1.5 8ZM8 9.8a1.8 1.8 0 1 0 0-3.6 1.8 1.8 0 0 0 0 3.6Z',
  forward: 'M6.5 3.5 11 8l-4.5 4.5',
  repeat: 'M3 7V6a2 2 0 0 1 2-2h7M10 2l2 2-2 2M13 9v1a2 2 0 0 1-2 2H4M6 14l-2-2 2-2',
  lock: 'M4 7.5h8v6H4ZM5.5 7.5v-2a2.5 2.5 0 0 1 5 0v2',
} as const

export type IconName = keyof typeof paths

export function Icon({ name }: { name: IconName }) {
  return (
    <svg width="16" height="16" viewBox="0 0 16 16" aria-hidden="true">
      <path
        d={paths[name]}
        fill="none"
        stroke="currentColor"
        strokeWidth="1.5"
        strokeLinecap="round"
        strokeLinejoin="round"
      />
    </svg>
  )
}
