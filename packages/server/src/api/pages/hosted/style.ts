/** How the pages look: one sheet, with what the application chose put into its variables. */
import type { HostedAuthentication } from '@waypost/contract'
import { cssOf, parseColour, textOn } from './colours.ts'

const sheet = `
:root{color-scheme:light dark;--ground:#eef1f5;--card:#fff;--ink:#17212b;--quiet:#51606f;--line:#8593a1;--soft:#f3f5f8;--fill:#0b5cc0;--on-fill:#fff;--link:#0b5cc0;--bad:#b3261e;--bad-soft:#fdecea;--accent:var(--fill);--space:1.75rem;--place:center}
@media(prefers-color-scheme:dark){:root{--ground:#0d1319;--card:#161f28;--ink:#e9eef4;--quiet:#a9b8c6;--line:#728394;--soft:#1f2a35;--fill:#7db8ff;--on-fill:#000;--link:#8cc0ff;--bad:#ffb4ab;--bad-soft:#3b1a18}}
*{box-sizing:border-box}html{-webkit-text-size-adjust:100%}
body{margin:0;min-height:100vh;min-height:100dvh;display:flex;flex-direction:column;align-items:var(--place);justify-content:center;padding:max(1rem,env(safe-area-inset-top)) clamp(1rem,6vw,6rem);background:var(--ground) center/cover no-repeat;color:var(--ink);font:1rem/1.5 system-ui,-apple-system,"Segoe UI",sans-serif}
main{width:100%;max-width:27rem;background:var(--card);border-radius:.75rem;border-top:.25rem solid var(--accent);padding:var(--space);box-shadow:0 1px 2px #0002,0 8px 32px #0002}
.app{display:flex;align-items:center;gap:.75rem;margin:0 0 1.25rem;color:var(--quiet);font-weight:600;overflow-wrap:anywhere}
.app img{width:2.5rem;height:2.5rem;object-fit:contain;border-radius:.4rem}
h1{font-size:1.4rem;line-height:1.25;margin:0 0 .75rem;text-wrap:balance;overflow-wrap:anywhere}
p{margin:0 0 1rem}.quiet{color:var(--quiet)}.small{font-size:.875rem}
a{color:var(--link)}a:focus-visible,button:focus-visible,input:focus-visible,summary:focus-visible{outline:3px solid var(--link);outline-offset:2px}
ul{list-style:none;margin:0 0 1rem;padding:0;display:grid;gap:.6rem}
.button,button{display:flex;align-items:center;justify-content:center;width:100%;min-height:3rem;padding:.6rem 1rem;border-radius:.5rem;font:inherit;font-weight:600;text-align:center;text-decoration:none;cursor:pointer;border:1px solid var(--line)}
.button{background:var(--card);color:var(--ink)}.button:hover{background:var(--soft)}
button{background:var(--fill);color:var(--on-fill)}button:hover{filter:brightness(.94)}
form{margin:0 0 1rem}label{display:block;font-weight:600;margin:0 0 .25rem}
.field{margin:0 0 1rem}.field .small{margin:.25rem 0 0}
input{width:100%;min-height:2.9rem;padding:.5rem .7rem;font:inherit;color:var(--ink);background:var(--card);border:1px solid var(--line);border-radius:.5rem}
input[readonly]{background:var(--soft)}input[aria-invalid=true]{border:2px solid var(--bad)}.wrong{color:var(--bad);font-weight:600}
.alert{background:var(--bad-soft);border-left:.25rem solid var(--bad);border-radius:.25rem;padding:.75rem 1rem;margin:0 0 1rem}.alert p{margin:0}
.advice{background:var(--soft);border-radius:.5rem;padding:.75rem 1rem;margin:0 0 1rem}.advice p:last-child{margin:0}
fieldset{border:0;margin:0 0 .5rem;padding:0;min-width:0}legend{font-weight:700;padding:0;margin:0 0 .5rem}
details{margin:0 0 1rem}summary{cursor:pointer;font-weight:600;padding:.5rem 0;min-height:2.75rem}
.or{display:flex;align-items:center;gap:.75rem;color:var(--quiet);margin:0 0 1rem}.or::before,.or::after{content:"";flex:1;border-top:1px solid var(--line)}
.links{display:flex;flex-wrap:wrap;gap:.25rem 1.25rem;margin:0}.links a{padding:.4rem 0}
footer{margin-top:1.25rem;padding-top:.75rem;border-top:1px solid var(--line)}
@media(max-width:30rem){body{padding:0;justify-content:flex-start}main{max-width:none;border-radius:0;min-height:100vh;min-height:100dvh;box-shadow:none;padding:1.5rem 1.25rem}}
@media(prefers-reduced-motion:no-preference){.button,button{transition:background .15s,filter .15s}}`

/** An https address as a CSS text; undefined where there is none, or it is another kind of address. */
export function imageUrl(text: string | null | undefined): string | undefined {
  const url = URL.parse(text ?? '')
  return url?.protocol === 'https:' ? url.href : undefined
}

const cssUrl = (url: string): string => `url("${url.replace(/[\\"'()<>\s]/g, encodeURIComponent)}")`

const places = { left: 'flex-start', center: 'center', right: 'flex-end' } as const

/** The style sheet of an application's pages. */
export function styleOf(look: HostedAuthentication): string {
  const primary = parseColour(look.color_primary)
  const secondary = parseColour(look.color_secondary)
  const ground = parseColour(look.background_color)
  const image = imageUrl(look.background_image_url)
  const variables = [
    primary && `--fill:${cssOf(primary)};--on-fill:${textOn(primary)}`,
    (secondary ?? primary) && `--accent:${cssOf(secondary ?? primary ?? [0, 0, 0])}`,
    ground && `--ground:${cssOf(ground)}`,
    look.alignment && `--place:${places[look.alignment]}`,
    look.spacing != null && `--space:${Math.min(look.spacing, 96)}px`,
  ].filter(Boolean)
  const own = variables.length > 0 ? `\n:root:root{${variables.join(';')}}` : ''
  return `${sheet}${own}${image ? `\n@media(min-width:30.01rem){body{background-image:${cssUrl(image)}}}` : ''}`
}
