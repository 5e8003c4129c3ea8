// The layout of the sign-in pages.
import { type Html, html } from '../html.ts'

const style = `body{font:16px/1.5 system-ui,sans-serif;max-width:34rem;margin:3rem auto;padding:0 1rem;color:#1f1f1f;background:#fff}
fieldset{border:1px solid #747775;border-radius:.5rem;margin:1rem 0;padding:.5rem 1rem}label{display:block;padding:.3rem 0}
button{font:inherit;padding:.5rem 1.5rem;border-radius:1.5rem;border:1px solid #747775;background:#fff;margin-right:.5rem}
button[value=allow]{background:#0b57d0;color:#fff;border-color:#0b57d0}`

export async function page(title: string, content: Html): Promise<string> {
  const whole = html`<!DOCTYPE html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${title}</title><style>${style}</style></head>
<body><main>${content}</main></body>
</html>`
  return whole.toString()
}

/** One radio button per account. */
export function accountChoices(
  accounts: readonly { readonly email: string; readonly name: string }[],
  chosen: { readonly email: string } | undefined,
): Html[] {
  return accounts.map(
    (account) =>
      html`<label><input type="radio" name="account" value="${account.email}" ${account === chosen ? 'checked' : ''}> ${account.name} (${account.email})</label>`,
  )
}
