/** Styles of the pages of account owners, in addition to those of all hosted pages. */
export const accountStyle = `
body{justify-content:flex-start;align-items:center}main{max-width:44rem}
h2{font-size:1.1rem;line-height:1.3;margin:1.75rem 0 .6rem}h3{font-size:1rem;margin:0 0 .35rem;overflow-wrap:anywhere}
.accounts{display:flex;flex-wrap:wrap;gap:.35rem .5rem;margin:0 0 .75rem}.accounts li{background:var(--soft);border-radius:.4rem;padding:.2rem .6rem;overflow-wrap:anywhere}
.card{border:1px solid var(--hair);border-radius:.6rem;padding:1rem;margin:0}.card p{margin:0 0 .5rem}.card p:last-child{margin:0}.card ul{gap:.15rem;margin:0 0 .75rem;padding-inline-start:1.1rem;list-style:disc}.card form{margin:.75rem 0 0}
a.card{display:block;color:var(--ink);text-decoration:none}a.card:hover{background:var(--soft)}a.card strong{overflow-wrap:anywhere}
.badge{display:inline-block;border:1px solid var(--line);border-radius:1rem;padding:.05rem .6rem;font-size:.875rem;color:var(--quiet)}
.notice{background:var(--soft);border-inline-start:.25rem solid var(--accent);border-radius:.4rem;padding:.75rem 1rem;margin:0 0 1rem}.notice p{margin:0}.notice p+p{margin-top:.25rem}
.facts{display:grid;grid-template-columns:minmax(6rem,max-content) 1fr;gap:.35rem 1rem;margin:0 0 1rem}.facts dt{color:var(--quiet)}.facts dd{margin:0;min-width:0;overflow-wrap:anywhere}
.foreign{border:1px solid var(--line);border-radius:.6rem;background:var(--soft);padding:.85rem 1rem;margin:0 0 1rem;max-height:min(40rem,70vh);overflow:auto;white-space:pre-wrap;overflow-wrap:anywhere;font:inherit}.foreign:focus-visible{outline:3px solid var(--link);outline-offset:2px}
.foreign.line{padding:.5rem .75rem;max-height:8rem}.code{font-family:ui-monospace,Menlo,monospace;font-size:.8em;border:1px solid var(--bad);color:var(--bad);border-radius:.25rem;padding:0 .2rem;margin:0 .1rem;unicode-bidi:isolate}
.people{max-height:16rem;overflow:auto;margin:0 0 1rem}.people .facts{margin:0}.people:focus-visible{outline:3px solid var(--link);outline-offset:2px}.decide{border-top:1px solid var(--hair);margin-top:1.5rem;padding-top:1.25rem}.decide form+form{margin-top:1.25rem}.decide button+p{margin:.35rem 0 0}
.secondary{background:var(--card);color:var(--ink)}.secondary:hover{background:var(--soft);filter:none}button.small{min-height:2.5rem;width:auto;font-weight:500}.inline{display:inline;margin:0}.inline button{width:auto;min-height:0;padding:.4rem 0;border:0;background:none;color:var(--link);font-weight:400;text-decoration:underline;text-underline-offset:.15em}
@media(max-width:30rem){.facts{grid-template-columns:1fr;gap:.1rem}.facts dd{margin-bottom:.5rem}.foreign{max-height:none}}`
