/**
 * The English texts of the booking pages, the source of all translations. The server puts the texts of one language
 * into the page. Texts are whole sentences, so that each language can use its own word order.
 */
export const bookingPageTexts = {
  // Every page
  language: 'Language',
  loading: 'Loading…',
  retry: 'Try again',
  back: 'Back',
  minutes: '{count} min',
  hours: '{count} h',
  hours_minutes: '{hours} h {minutes} min',
  noscript: 'This page needs JavaScript. Turn it on in your browser, then load the page again.',
  description: 'Choose a time for {name}.',
  missing_title: 'This page does not exist',
  missing_text: 'The link may be incomplete, or the page was closed. Ask the person who sent it for a new link.',

  // What is booked
  where: 'Where',
  when: 'When',
  who: 'Who',
  what: 'What',
  video_call: 'Video call',
  former_time: 'Former time',
  needs_confirmation: 'The organizer confirms each request.',
  cancellation_policy: 'Cancellation policy',

  // Choosing a day and a time
  choose_day: 'Choose a day',
  previous_month: 'Previous month',
  next_month: 'Next month',
  day_times: '{day}, {count} times free',
  day_one_time: '{day}, one time free',
  day_full: '{day}, no times free',
  day_unknown: '{day}, loading',
  month_loaded: '{month}: {count} days with free times.',
  month_empty: 'No free times in {month}.',
  next_free_day: 'Next free day',
  nothing_free: 'There are no free times right now. Look again later.',
  load_failed: 'The free times could not be loaded.',
  morning: 'Morning',
  afternoon: 'Afternoon',
  evening: 'Evening',
  seats_left: '{count} seats left',
  one_seat_left: 'One seat left',
  hour_format: 'Time format',
  hour_12: '12 h',
  hour_24: '24 h',
  time_zone: 'Time zone',
  find_zone: 'Find a city or time zone',
  no_zone: 'No time zone has this name.',

  // The form
  form_title: 'Your details',
  change_time: 'Change the time',
  name: 'Your name',
  email: 'Your e-mail address',
  guests: 'Additional guests',
  guest_email: 'E-mail address of guest {number}',
  add_guest: 'Add a guest',
  remove_guest: 'Remove guest {number}',
  optional: 'optional',
  choose_option: 'Choose…',
  book: 'Book',
  booking: 'Booking…',
  required: 'Fill in this field.',
  required_checkbox: 'Check this box to continue.',
  required_choice: 'Choose one.',
  wrong_email: 'This is not an e-mail address.',
  wrong_phone: 'This is not a telephone number.',
  wrong_format: 'This does not have the expected format.',
  form_wrong: 'Correct the marked fields.',
  preview: 'This is a preview. It books nothing.',

  // Problems
  taken: 'This time was just taken.',
  taken_choose: 'Your entries are kept. Choose another time:',
  taken_none: 'Your entries are kept. No other time nearby is free.',
  all_times: 'Show all times',
  too_many: 'Too many requests. Wait a minute, then try again.',
  offline: 'The connection failed. Check your network, then try again.',
  failed: 'This did not work. Try again in a minute.',
  session_ended: 'This link has expired. Load the page again through the original link.',

  // The outcome
  booked_title: 'You are booked',
  booked_text: 'A confirmation is on its way to {email}.',
  booked_quiet: 'Your booking is confirmed.',
  pending_title: 'Your request was sent',
  pending_text: 'The organizer has to confirm it. You will get an answer at {email}.',
  pending_quiet: 'The organizer has to confirm it.',
  moved_title: 'Your booking was moved',
  moved_text: 'The new time is confirmed.',
  add_to_calendar: 'Add to calendar',
  ics_file: 'Calendar file (.ics)',
  google: 'Google Calendar',
  outlook: 'Outlook',
  reschedule: 'Reschedule',
  cancel: 'Cancel',
  book_another: 'Book another time',
  continue: 'Continue',

  // Moving a booking
  reschedule_title: 'Move your booking',
  reschedule_confirm: 'Move the booking',
  reschedule_question: 'Move the booking to this time?',
  moving: 'Moving…',

  // Canceling
  cancel_title: 'Cancel your booking',
  cancel_question: 'Do you want to cancel this booking?',
  reason: 'Reason',
  cancel_confirm: 'Cancel the booking',
  canceling: 'Canceling…',
  cancelled_title: 'The booking is canceled',
  cancelled_text: 'Everyone involved is informed.',
  cancel_late: 'It is too late to cancel this booking here. Contact the organizer.',
  change_not_offered: 'This booking cannot be changed here. Contact the organizer.',
  already_cancelled: 'This booking was already canceled.',
  already_past: 'This booking is over.',

  // The organizer's decision
  confirm_title: 'Confirm this booking?',
  confirm_text: '{name} asks for this time.',
  confirm: 'Confirm',
  decline: 'Decline',
  decline_reason: 'Reason for declining',
  decline_confirm: 'Decline the request',
  confirming: 'Confirming…',
  confirmed_title: 'The booking is confirmed',
  confirmed_text: '{name} will be informed.',
  declined_title: 'The request is declined',
  already_confirmed: 'This booking is already confirmed.',
} as const

export type BookingPageTextKey = keyof typeof bookingPageTexts

/** All texts of the pages in one language. A missing or unknown key does not compile. */
export type BookingPageTexts = Readonly<Record<BookingPageTextKey, string>>
