/** Actions of people in the published scheduling components. */
import type { Page } from 'playwright-core'

/** Chooses a time of the day that the page shows first. */
export async function chooseTime(page: Page, which: number): Promise<void> {
  await page.locator('nylas-timeslot-picker button.time').nth(which).click()
  await page.locator('nylas-timeslot-picker .footer button').click()
}

export async function fillIn(page: Page, guest: { name: string; email: string }): Promise<void> {
  await page.locator('nylas-booking-form input-component#name input').fill(guest.name)
  await page.locator('nylas-booking-form input-component#email input').fill(guest.email)
}

export async function submit(page: Page): Promise<void> {
  await page.locator('nylas-booking-form .cta button-component:not(.back) button').click()
}

/** The heading of the card with the result. */
export const outcome = (page: Page): Promise<string | null> =>
  page
    .locator(
      'nylas-booked-event-card h2, nylas-cancelled-event-card h3, nylas-confirmed-event-card h3, nylas-organizer-confirmation-card h2',
    )
    .textContent()

/** Cancels or declines, with the reason that the form requires. */
export async function giveReason(page: Page, reason: string): Promise<void> {
  await page.locator('nylas-cancel-booking-form textarea').fill(reason)
  await page.locator('nylas-cancel-booking-form .footer button-component.cancel button').click()
}
