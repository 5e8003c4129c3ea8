/** Adds links to guides to the API description: in its introduction and at the tags they describe. */
import { guideAddress, type ListedGuide } from './frame.ts'
import type { Description } from './search-entries.ts'

/** Guides that describe the routes of a tag. */
const about: Record<string, readonly string[]> = {
  connect: ['authentication'],
  grants: ['authentication'],
  calendars: ['calendars', 'google-calendar', 'dav'],
  virtualCalendars: ['calendars'],
  events: ['calendars', 'caldav-invitations'],
  availability: ['calendars'],
  messages: ['mail', 'sending'],
  schedules: ['sending'],
  drafts: ['sending'],
  threads: ['mail'],
  folders: ['mail'],
  contacts: ['contacts'],
  contactGroups: ['contacts'],
  webhooks: ['webhooks'],
  deliveries: ['webhooks'],
  notifications: ['webhooks'],
  connectors: ['google', 'microsoft', 'yahoo', 'zoom'],
  adminApplications: ['dashboard'],
}

const linkTo = ({ name, title }: ListedGuide): string => `[${title}](${guideAddress(name)})`

export function withGuides(api: Description, guides: readonly ListedGuide[]): Description {
  const groups = Object.entries(Object.groupBy(guides, ({ group }) => group)).map(
    ([group, listed = []]) => `- **${group}:** ${listed.map(linkTo).join(' · ')}`,
  )
  const tags = api.tags?.map((tag) => {
    const telling = guides.filter(({ name }) => about[tag.name]?.includes(name)).map(linkTo)
    return telling.length === 0
      ? tag
      : { ...tag, description: `${tag.description ?? ''}\n\nGuides: ${telling.join(', ')}` }
  })
  const description = `${api.info.description ?? ''}\n\n# Guides\n\n${groups.join('\n')}`
  return { ...api, info: { ...api.info, description }, ...(tags ? { tags } : {}) }
}
