import type { MailTexts } from './mail-texts.ts'

export const chinese: MailTexts = {
  subjects: {
    confirmed: '已确认：{title}',
    requested: '预约请求：{title}',
    declined: '已拒绝：{title}',
    rescheduled: '已改期：{title}',
    cancelled: '已取消：{title}',
    reminder: '提醒：{title}',
  },
  toGuests: {
    confirmed: '您与 {organizer} 的预约已确认。',
    declined: '{organizer} 拒绝了您的预约请求。',
    rescheduled: '您与 {organizer} 的预约已改期。',
    cancelled: '您与 {organizer} 的预约已取消。',
    reminder: '提醒您与 {organizer} 的预约。',
  },
  toHosts: {
    confirmed: '{guest} 预约了此时间。',
    requested: '{guest} 希望预约此时间。请确认或拒绝。',
    declined: '{guest} 的预约请求已被拒绝。',
    rescheduled: '{guest} 的预约已改期。',
    cancelled: '{guest} 的预约已取消。',
    reminder: '提醒您与 {guest} 的预约。',
  },
  labels: {
    when: '时间',
    formerly: '原时间',
    where: '地点',
    join: '加入',
    organizer: '组织者',
    guest: '来宾',
    participants: '参与者',
    reason: '原因',
    description: '说明',
    cancellationPolicy: '取消政策',
  },
  actions: {
    reschedule: '改期',
    cancel: '取消',
    confirm: '确认',
    decline: '拒绝',
  },
}
