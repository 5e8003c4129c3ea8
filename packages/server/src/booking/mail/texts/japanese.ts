import type { MailTexts } from './mail-texts.ts'

export const japanese: MailTexts = {
  subjects: {
    confirmed: '予約確定: {title}',
    requested: '予約リクエスト: {title}',
    declined: '予約をお受けできません: {title}',
    rescheduled: '予約変更: {title}',
    cancelled: '予約キャンセル: {title}',
    reminder: 'リマインダー: {title}',
  },
  toGuests: {
    confirmed: '{organizer} さんとの予約が確定しました。',
    declined: '{organizer} さんが予約リクエストを辞退しました。',
    rescheduled: '{organizer} さんとの予約の日時が変更されました。',
    cancelled: '{organizer} さんとの予約がキャンセルされました。',
    reminder: '{organizer} さんとの予約のお知らせです。',
  },
  toHosts: {
    confirmed: '{guest} さんがこの日時を予約しました。',
    requested: '{guest} さんがこの日時の予約を希望しています。確定または辞退してください。',
    declined: '{guest} さんの予約リクエストは辞退されました。',
    rescheduled: '{guest} さんの予約の日時が変更されました。',
    cancelled: '{guest} さんの予約がキャンセルされました。',
    reminder: '{guest} さんとの予約のお知らせです。',
  },
  labels: {
    when: '日時',
    formerly: '変更前の日時',
    where: '場所',
    join: '参加',
    organizer: '主催者',
    guest: 'ゲスト',
    participants: '参加者',
    reason: '理由',
    description: '説明',
    cancellationPolicy: 'キャンセルポリシー',
  },
  actions: {
    reschedule: '日時を変更',
    cancel: 'キャンセル',
    confirm: '確定',
    decline: '辞退',
  },
}
