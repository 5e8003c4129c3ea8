/** The pages: plain HTML without scripts, for keyboards, screen readers, phones, light and dark. */

export interface Slot {
  start: number
  end: number
}
export interface Draft {
  name?: string
  email?: string
}

export const zone = process.env.BOOKING_TIMEZONE ?? 'Europe/Berlin'
const inZone = (options: Intl.DateTimeFormatOptions) => {
  const format = new Intl.DateTimeFormat('en-GB', { timeZone: zone, ...options })
  return (seconds: number): string => format.format(seconds * 1000)
}
const dayOf = inZone({ weekday: 'long', day: 'numeric', month: 'long' })
const timeOf = inZone({ hour: '2-digit', minute: '2-digit' })
export const momentOf = (seconds: number): string => `${dayOf(seconds)}, ${timeOf(seconds)}`

/** User input is escaped, so that it is never markup. */
const escaped = (text: string): string => text.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`)

const style = `
:root { color-scheme: light dark; --ink: #1c2230; --quiet: #556; --paper: #f6f7fb; --card: #fff; --line: #c9cede; --accent: #2346c4; --on: #fff; --warn: #fff3d6; }
@media (prefers-color-scheme: dark) { :root { --ink: #eceef6; --quiet: #b4bacd; --paper: #12151d; --card: #1b202c; --line: #3a4257; --accent: #9db3ff; --on: #10142a; --warn: #3b2f10; } }
* { box-sizing: border-box }
body { margin: 0; font: 17px/1.5 system-ui, sans-serif; color: var(--ink); background: var(--paper) }
main { max-width: 40rem; margin: 0 auto; padding: 2rem 1rem 4rem }
h1 { font-size: 1.7rem; margin: 0 0 .25rem }
.quiet { color: var(--quiet); margin: 0 0 1.5rem }
.card { background: var(--card); border: 1px solid var(--line); border-radius: 12px; padding: 1rem 1.25rem; margin: 0 0 1rem }
.warn { background: var(--warn) }
fieldset { border: 0; padding: 0; margin: 0 0 1rem }
legend { float: left; width: 100%; font-weight: 600; padding: 0 0 .5rem }
.slots { clear: both; display: flex; flex-wrap: wrap; gap: .5rem }
.slots label { position: relative }
.slots input { position: absolute; opacity: 0; inset: 0; margin: 0 }
.slots span { display: block; padding: .4rem .8rem; border: 1px solid var(--line); border-radius: 8px }
.slots input:checked + span { background: var(--accent); color: var(--on); border-color: var(--accent) }
.slots input:focus-visible + span, button:focus-visible, a:focus-visible, .field input:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px }
.field { display: block; margin: 0 0 1rem; font-weight: 600 }
.field input { display: block; width: 100%; margin-top: .25rem; padding: .6rem .7rem; font: inherit; color: inherit; background: var(--paper); border: 1px solid var(--quiet); border-radius: 8px }
button { font: inherit; font-weight: 600; padding: .7rem 1.4rem; border: 0; border-radius: 8px; background: var(--accent); color: var(--on); cursor: pointer }
a { color: var(--accent) }`

const page = (title: string, content: string): string => `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escaped(title)}</title><style>${style}</style></head><body><main>${content}</main></body></html>`

function days(slots: readonly Slot[]): string {
  const byDay = Map.groupBy(slots, ({ start }) => dayOf(start))
  const choice = ({ start }: Slot): string =>
    `<label><input type="radio" name="start" value="${start}" required><span>${timeOf(start)}</span></label>`
  return Array.from(
    byDay,
    ([day, each]) =>
      `<fieldset class="card"><legend>${escaped(day)}</legend><div class="slots">${each.map(choice).join('')}</div></fieldset>`,
  ).join('')
}

/** The form. `token` identifies this copy of the page, so that a double click books once. */
export function bookingPage(slots: readonly Slot[], token: string, problem?: string, draft: Draft = {}): string {
  const alert = problem ? `<p class="card warn" role="alert">${escaped(problem)}</p>` : ''
  const head = `<h1>Book a conversation</h1><p class="quiet">Half an hour. Times are those of ${escaped(zone)}.</p>${alert}`
  if (slots.length === 0)
    return page('Book a conversation', `${head}<p class="card">There is no free time these days.</p>`)
  const field = (name: 'name' | 'email', label: string, rest: string): string =>
    `<label class="field">${label}<input name="${name}" value="${escaped(draft[name] ?? '')}" required maxlength="200" ${rest}></label>`
  return page(
    'Book a conversation',
    `${head}<form method="post" action="/book"><input type="hidden" name="token" value="${escaped(token)}">${days(slots)}
<div class="card">${field('name', 'Your name', 'autocomplete="name"')}${field('email', 'Your e-mail address', 'type="email" autocomplete="email"')}
<button>Book</button></div></form>`,
  )
}

export const bookedPage = (start: number): string =>
  page(
    'Booked',
    `<h1>It is yours</h1><p class="card" role="status">Booked: ${escaped(momentOf(start))}.</p><p><a href="/">Book another time</a></p>`,
  )

export const messagePage = (title: string, text: string): string =>
  page(
    title,
    `<h1>${escaped(title)}</h1><p class="card">${escaped(text)}</p><p><a href="/">Back to the free times</a></p>`,
  )
