import type { AccountTexts } from './account-texts.ts'

export const accountZhHans: AccountTexts = {
  'owner.failed_title': '登录未成功',
  'owner.failed': '您尚未登录，未作任何更改。请使用已连接到 {application} 的账户。',
  'owner.again': '重试',
}
