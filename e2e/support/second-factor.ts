import { generateSync } from 'otplib'
import type { CDPSession, Page } from 'playwright-core'

const STEP_S = 30

/** Code of the half minute `ahead` of now: each works once, so a journey that logs in twice takes the next. */
export const codeOf = (secret: string, ahead: number): string =>
  generateSync({ secret, epoch: Math.floor(Date.now() / 1_000) + ahead * STEP_S })

/** Begins to switch the second factor on, in the profile. Answers the secret that is shown; the code is not typed yet. */
export async function showSecret(page: Page, password: string): Promise<string> {
  await page.goto('/user/profile')
  await page.getByRole('button', { name: 'Switch on' }).click()
  await page.getByLabel('Your password').fill(password)
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.getByRole('img', { name: 'QR code of the secret' }).waitFor()
  return ((await page.locator('code').first().textContent()) ?? '').replaceAll(' ', '')
}

/** Gives the page's browser a device that keeps passkeys and says yes to all that it is asked. */
export async function addAuthenticator(cdp: CDPSession): Promise<void> {
  await cdp.send('WebAuthn.enable')
  await cdp.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
}

/** Adds a passkey of this name in the profile. */
export async function addPasskey(page: Page, name: string, password: string): Promise<void> {
  await page.goto('/user/profile')
  await page.getByRole('button', { name: 'Add a passkey' }).click()
  await page.getByLabel('Name of the passkey').fill(name)
  await page.getByLabel('Your password').fill(password)
  await page.getByRole('button', { name: 'Add a passkey' }).click()
  await page.getByText(name).waitFor()
  await page.getByRole('button', { name: 'Add a passkey' }).waitFor()
}
