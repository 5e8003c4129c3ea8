/** The pages: plain HTML without scripts. A message is shown in a fully sandboxed frame. */
import type { Message } from '@waypost/sdk'

const escaped = (text: string): string => text.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`)
const date = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'short' })

const style = `
:root { color-scheme: light dark; --ink: #1c2230; --quiet: #556; --paper: #f6f7fb; --card: #fff; --line: #c9cede; --accent: #2346c4; --on: #fff }
@media (prefers-color-scheme: dark) { :root { --ink: #eceef6; --quiet: #b4bacd; --paper: #12151d; --card: #1b202c; --line: #3a4257; --accent: #9db3ff; --on: #10142a } }
* { box-sizing: border-box }
body { margin: 0; font: 17px/1.5 system-ui, sans-serif; color: var(--ink); background: var(--paper) }
main { max-width: 46rem; margin: 0 auto; padding: 2rem 1rem 4rem; overflow-wrap: anywhere }
h1 { font-size: 1.6rem; margin: 0 0 1rem }
a { color: var(--accent) }
.quiet { color: var(--quiet) }
.button, button { display: inline-block; font: inherit; font-weight: 600; padding: .6rem 1.2rem; border: 0; border-radius: 8px; background: var(--accent); color: var(--on); text-decoration: none; cursor: pointer }
.button:focus-visible, button:focus-visible, a:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px }
ul { list-style: none; margin: 0 0 1.5rem; padding: 0; background: var(--card); border: 1px solid var(--line); border-radius: 12px }
li { padding: .8rem 1rem; border-top: 1px solid var(--line) }
li:first-child { border-top: 0 }
li p { margin: 0 }
.unread a { font-weight: 700 }
iframe { width: 100%; min-height: 50vh; border: 1px solid var(--line); border-radius: 12px; background: #fff }`

const page = (title: string, content: string): string => `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escaped(title)}</title><style>${style}</style></head><body><main>${content}</main></body></html>`

const senderOf = ({ from }: Message): string => from?.[0]?.name || from?.[0]?.email || 'Unknown sender'
const dateOf = (message: Message): string => (message.date === undefined ? '' : date.format(message.date * 1000))

export const welcomePage = (problem?: string): string =>
  page(
    'Inbox reader',
    `<h1>Inbox reader</h1>${problem ? `<p role="alert">${escaped(problem)}</p>` : ''}
<p>Connect your account to read your mail here.</p><p><a class="button" href="/sign-in">Connect an account</a></p>`,
  )

export function inboxPage(email: string, messages: readonly Message[], nextCursor?: string): string {
  const item = (message: Message): string =>
    `<li${message.unread ? ' class="unread"' : ''}><p><a href="/messages/${encodeURIComponent(message.id)}">${escaped(message.subject || '(no subject)')}</a>${message.unread ? ' <span class="quiet">unread</span>' : ''}</p>
<p class="quiet">${escaped(senderOf(message))}, ${dateOf(message)}</p><p>${escaped(message.snippet ?? '')}</p></li>`
  const more = nextCursor ? `<p><a href="/?page_token=${encodeURIComponent(nextCursor)}">Older messages</a></p>` : ''
  const list = messages.length > 0 ? `<ul>${messages.map(item).join('')}</ul>` : '<p>There is no mail.</p>'
  return page(
    'Inbox',
    `<h1>Inbox of ${escaped(email)}</h1>${list}${more}<form method="post" action="/sign-out"><button>Sign out</button></form>`,
  )
}

export const messagePage = (message: Message): string =>
  page(
    message.subject || 'Message',
    `<p><a href="/">Back to the inbox</a></p><h1>${escaped(message.subject || '(no subject)')}</h1>
<p class="quiet">${escaped(senderOf(message))}, ${dateOf(message)}</p>
<iframe sandbox title="Text of the message" srcdoc="${escaped(message.body ?? '')}"></iframe>`,
  )

export const problemPage = (text: string): string =>
  page('Sorry', `<h1>Sorry</h1><p role="alert">${escaped(text)}</p><p><a href="/">Back</a></p>`)
