import type { BrowserContext, Page } from 'playwright-core'

/** Lets the pages of `url` know where this phone is. */
export async function here(context: BrowserContext, url: string): Promise<void> {
  await context.grantPermissions(['geolocation'], { origin: url })
  await context.setGeolocation({ latitude: -33.9, longitude: 151.3, accuracy: 12 })
}

/** Accepts an invitation on this phone. */
export async function joinAs(page: Page, link: string, name: string): Promise<void> {
  await page.goto(link)
  await page.getByLabel('First name').fill(name)
  await page.getByLabel('Last name').fill('Sample')
  await page.getByLabel('Mobile phone').fill('0400 000 000')
  await page.getByLabel('New password').fill('saltwater')
  await page.getByRole('button', { name: 'Start' }).click()
  await page.getByRole('button', { name: 'New catch' }).waitFor()
}

/** Records a catch, and returns the number of its box. */
export async function recordCatch(page: Page, species = 'Snapper'): Promise<string> {
  await page.getByRole('button', { name: 'New catch' }).click()
  await page.getByText(species, { exact: true }).click()
  const box = await page.getByLabel('Box number').inputValue()
  await page.getByRole('button', { name: 'Save catch' }).click()
  await page.getByText('Saved on this phone.').waitFor()
  return box
}

/** All that this user has on this phone is with the shop. */
export const untilSent = (page: Page): Promise<void> => page.getByText('Everything is sent.').waitFor()
