import type { AccountTexts } from './account-texts.ts'

export const accountJa: AccountTexts = {
  'owner.failed_title': 'サインインできませんでした',
  'owner.failed':
    'サインインしていません。変更はありません。{application} に接続されているアカウントをお使いください。',
  'owner.again': 'もう一度試す',
}
