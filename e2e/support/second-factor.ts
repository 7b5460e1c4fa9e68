import { generateSync } from 'otplib'
import type { CDPSession, Page } from 'playwright-core'

const STEP_S = 30

/** The code of the time step `ahead` steps from now: each is accepted once, so a second login uses the next. */
export const codeOf = (secret: string, ahead: number): string =>
  generateSync({ secret, epoch: Math.floor(Date.now() / 1_000) + ahead * STEP_S })

/** Begins to turn the second factor on, in the profile. Returns the secret that is shown; no code is typed yet. */
export async function showSecret(page: Page, password: string): Promise<string> {
  await page.goto('/user/profile')
  await page.getByRole('button', { name: 'Turn on' }).click()
  await page.getByLabel('Your password').fill(password)
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.getByRole('img', { name: 'QR code of the secret' }).waitFor()
  return ((await page.locator('code').first().textContent()) ?? '').replaceAll(' ', '')
}

/** Adds a virtual authenticator to the page's browser, which confirms every request. */
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

/** Adds a passkey with this name in the profile. */
export async function addPasskey(page: Page, name: string, password: string): Promise<void> {
  await page.goto('/user/profile')
  await page.getByRole('button', { name: 'Add a passkey' }).click()
  await page.getByLabel('Name of the passkey').fill(name)
  await page.getByLabel('Your password').fill(password)
  await page.getByRole('button', { name: 'Add a passkey' }).click()
  await page.getByText(name).waitFor()
  await page.getByRole('button', { name: 'Add a passkey' }).waitFor()
}
