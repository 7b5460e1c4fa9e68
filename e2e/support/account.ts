import assert from 'node:assert/strict'
import type { BrowserContext, Page } from 'playwright-core'
import { untilHydrated } from './browser.ts'
import type { Mail } from './smtp.ts'

/** A person with an account, as typed into the forms. */
export type Person = { fname: string; lname: string; email: string; phone: string; password: string }

export const ann: Person = {
  fname: 'Ann',
  lname: "O'Lee",
  email: 'ann.lee+fish@example.com',
  phone: '0412 345 678',
  password: 'ice-cold prawns',
}

/** The URL of an email's button. */
export function linkIn(mail: Mail): string {
  const link = /^https?:\/\/\S+$/m.exec(mail.text ?? '')?.[0]
  assert.ok(link, `there is a link in ${mail.subject}`)
  return link
}

/** Fills the sign-up form and submits it. `path`: its URL with query. */
export async function signUp(page: Page, person: Person, path = '/user/signup'): Promise<void> {
  await page.goto(path)
  await untilHydrated(page)
  await page.getByLabel('First name').fill(person.fname)
  await page.getByLabel('Last name').fill(person.lname)
  await page.getByLabel('Email').fill(person.email)
  await page.getByLabel('Mobile phone').fill(person.phone)
  await page.getByLabel('Password', { exact: true }).fill(person.password)
  await page.getByLabel('Confirm password', { exact: true }).fill(person.password)
  await page.getByRole('button', { name: 'Create account' }).click()
}

/** Signs in without a page, for what is not about signing in: the browser has the session from then on. */
export async function signInByApi(
  context: BrowserContext,
  url: string,
  { email, password }: Pick<Person, 'email' | 'password'>,
): Promise<void> {
  const answer = await context.request.post(`${url}/api/user/signIn`, { data: { email, password } })
  assert.ok(answer.ok(), `${email} is signed in: ${answer.status()}`)
}

/** Fills email and password on the sign-in page and submits them. */
export async function logIn(
  page: Page,
  { email, password }: Pick<Person, 'email' | 'password'>,
): Promise<void> {
  await page.goto('/user/signin')
  await untilHydrated(page)
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Log in', exact: true }).click()
}

/** Waits until the home page is shown and its navigation bar names who is logged in. */
export async function assertLoggedIn(page: Page, fname: string): Promise<void> {
  await page.waitForURL((url) => url.pathname === '/')
  await page.getByRole('heading', { name: 'Seafood Categories' }).waitFor()
  await page.getByRole('navigation', { name: 'Main' }).getByText(fname, { exact: true }).first().waitFor()
}

/** Logs out by the menu of the navigation bar. Needs a page wide enough to show it. */
export async function logOut(page: Page, fname: string): Promise<void> {
  const bar = page.getByRole('navigation', { name: 'Main' })
  const logout = bar.getByRole('button', { name: 'Logout' }).first()
  const openMenu = () => bar.getByText(fname, { exact: true }).first().click()
  await openMenu()
  // On a slow network the page before may still be on its way: its coming closes the menu.
  await logout.click({ timeout: 5_000 }).catch(async () => {
    if (!(await logout.isVisible())) await openMenu()
    await logout.click()
  })
  await bar.getByRole('link', { name: 'Log in' }).first().waitFor()
}

/** The red box with the error of a failed request. */
export const alertText = async (page: Page): Promise<string> =>
  (await page.getByRole('alert').first().textContent()) ?? ''
