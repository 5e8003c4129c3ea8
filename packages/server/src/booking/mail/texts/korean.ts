import type { MailTexts } from './mail-texts.ts'

export const korean: MailTexts = {
  subjects: {
    confirmed: '예약 확정: {title}',
    requested: '예약 요청: {title}',
    declined: '예약 거절: {title}',
    rescheduled: '예약 변경: {title}',
    cancelled: '예약 취소: {title}',
    reminder: '알림: {title}',
  },
  toGuests: {
    confirmed: '{organizer} 님과의 예약이 확정되었습니다.',
    declined: '{organizer} 님이 예약 요청을 거절했습니다.',
    rescheduled: '{organizer} 님과의 예약 시간이 변경되었습니다.',
    cancelled: '{organizer} 님과의 예약이 취소되었습니다.',
    reminder: '{organizer} 님과의 예약을 알려 드립니다.',
  },
  toHosts: {
    confirmed: '{guest} 님이 이 시간을 예약했습니다.',
    requested: '{guest} 님이 이 시간을 예약하려고 합니다. 확정하거나 거절해 주세요.',
    declined: '{guest} 님의 예약 요청이 거절되었습니다.',
    rescheduled: '{guest} 님의 예약 시간이 변경되었습니다.',
    cancelled: '{guest} 님의 예약이 취소되었습니다.',
    reminder: '{guest} 님과의 예약을 알려 드립니다.',
  },
  labels: {
    when: '일시',
    formerly: '이전 일시',
    where: '장소',
    join: '참여',
    organizer: '주최자',
    guest: '게스트',
    participants: '참가자',
    reason: '사유',
    description: '설명',
    cancellationPolicy: '취소 정책',
  },
  actions: {
    reschedule: '일정 변경',
    cancel: '취소',
    confirm: '확정',
    decline: '거절',
  },
}
