import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { assertAccessibleEverywhere } from '../support/accessible.ts'
import { logIn } from '../support/account.ts'
import { untilHydrated, visit } from '../support/browser.ts'
import { saveScreenshot } from '../support/screens.ts'
import { admin, startServer } from '../support/server.ts'

/** Every account screen, in the state that shows most of it. */
const screens: [name: string, path: string, show: (page: Page) => Promise<void>][] = [
  [
    'sign-in',
    '/user/signin',
    async (page) => {
      await page.getByLabel('Email').fill('nobody@example.com')
      await page.getByLabel('Password', { exact: true }).fill('wrong')
      await page.getByRole('button', { name: 'Log in', exact: true }).click()
      await page.getByText('Error: 401: Email or password is wrong.').waitFor()
    },
  ],
  [
    'sign-up',
    '/user/signup',
    async (page) => {
      await page.getByLabel('Email').fill('nobody')
      await page.getByLabel('Mobile phone').fill('0512 345 678')
      await page.getByLabel('Password', { exact: true }).fill('short')
      await page.getByLabel('Confirm password', { exact: true }).fill('shorter')
      await page.getByRole('button', { name: 'Create account' }).click()
      for (const words of [
        'first name is required',
        'last name is required',
        'enter valid email address',
        'enter valid mobile number',
        'password must be 6 or more characters',
        're-entered password does not match',
      ])
        await page.getByText(words).waitFor()
    },
  ],
  [
    'forgot-password',
    '/user/forgotpassword',
    async (page) => {
      await page.getByLabel('Email').fill('nobody@example.com')
      await page.getByRole('button', { name: 'Send recovery email' }).click()
      await page
        .getByText('Error: 404: No account has this email address. Please create an account.')
        .waitFor()
    },
  ],
  [
    'reset-password',
    '/user/resetpassword/x',
    async (page) => {
      await page.getByLabel('New password', { exact: true }).fill('mud crabs')
      await page.getByLabel('Confirm password', { exact: true }).fill('mud crab')
      await page.getByRole('button', { name: 'Reset password' }).click()
      await page.getByText("Confirm password doesn't match! Try again.").waitFor()
    },
  ],
  [
    'activation',
    '/user/activate/x',
    (page) => page.getByText('Error: 400: This link is not valid.').waitFor(),
  ],
  [
    'email-change',
    '/user/email/x',
    async (page) => {
      await page.getByRole('button', { name: 'Confirm the change' }).click()
      await page.getByText('Error: 400: This link is not valid').waitFor()
    },
  ],
  ['first-admin', '/user/firstadmin/x', (page) => page.getByText('This account may manage').waitFor()],
  [
    'profile',
    '/user/profile',
    async (page) => {
      await page.waitForURL(/signin/)
      await logIn(page, admin)
      await page.waitForURL((url) => url.pathname === '/')
      await page.goto('/user/profile')
      await page.getByRole('button', { name: 'Change email' }).click()
      await page.getByLabel('New email').waitFor()
      await page.getByRole('button', { name: 'Change password' }).click()
      await page.getByRole('button', { name: 'Turn on' }).click()
      await page.getByRole('button', { name: 'Add a passkey' }).click()
      await page.getByLabel('Name of the passkey').waitFor()
    },
  ],
  [
    'second-factor',
    '/user/profile',
    async (page) => {
      await page.getByRole('button', { name: 'Turn on' }).click()
      await page.getByLabel('Your password').fill(admin.password)
      await page.getByRole('button', { name: 'Continue' }).click()
      await page.getByRole('img', { name: 'QR code of the secret' }).waitFor()
    },
  ],
]

test('every account screen is accessible at every width, in light and dark', async (t) => {
  await using server = await startServer()
  await using at = await visit(`${server.url}/user/signin`)
  at.expectProblem(/status of 40[0-9]/)
  const { page } = at
  for (const [name, path, show] of screens)
    await t.test(name, async () => {
      await page.goto(path)
      await untilHydrated(page)
      await show(page)
      for (const [width, colorScheme] of [
        [360, 'light'],
        [768, 'dark'],
        [1280, 'light'],
      ] as const) {
        await page.setViewportSize({ width, height: 900 })
        await page.emulateMedia({ colorScheme })
        await saveScreenshot(page, `account-${name}-${width}-${colorScheme}`)
      }
      await page.setViewportSize({ width: 390, height: 844 })
      await assertAccessibleEverywhere(page)
    })
})

test('a form whose schema cannot be fetched says so, keeps what was typed, and works once it can', async () => {
  await using server = await startServer()
  await using at = await visit(server.url)
  at.expectProblem(/schemas|ERR_FAILED|status of 401/)
  const { page } = at
  const alert = page.getByRole('alert')
  const logInButton = page.getByRole('button', { name: 'Log in', exact: true })
  await page.route(/assets\/schemas/, (route) => route.abort())
  await page.goto('/user/signin')
  await untilHydrated(page)
  await page.getByLabel('Email').fill('nobody@example.com')
  await page.getByLabel('Password', { exact: true }).fill('wrong')
  await logInButton.click()
  await alert.getByText('could not be fetched. Check your connection and try again.').waitFor()
  await page.unroute(/assets\/schemas/)
  await logInButton.click()
  await alert.getByText('Email or password is wrong.').waitFor()
})

test('a form whose schema needs another script that failed gets through, or offers to load the page again', async () => {
  await using server = await startServer()
  await using at = await visit(`${server.url}/user/signin`)
  at.expectProblem(/schemas|ERR_FAILED|status of 401/)
  const { page } = at
  const logIn = async (): Promise<void> => {
    await page.getByLabel('Email').fill('nobody@example.com')
    await page.getByLabel('Password', { exact: true }).fill('wrong')
    await page.getByRole('button', { name: 'Log in', exact: true }).click()
  }
  const notice = page.getByRole('alert').filter({ hasText: 'Part of this page did not load' })
  // The file that is imported comes, the one that it needs does not, whichever of them is asked for first.
  await page.route(/assets\/schemas/, async (route) => {
    const response = await route.fetch()
    const needsAnother = /from"\.\/schemas-/.test(await response.text())
    await (needsAnother ? route.fulfill({ response }) : route.abort())
  })
  await untilHydrated(page)
  await logIn()
  await page.getByText('could not be fetched. Check your connection and try again.').waitFor()
  await page.unrouteAll({ behavior: 'wait' })
  await page.getByRole('button', { name: 'Log in', exact: true }).click()
  const answer = page.getByText('Email or password is wrong.')
  await notice.or(answer).first().waitFor()
  // A browser that has remembered that the other file failed needs the page anew; one that has not gets through.
  if (await notice.isVisible()) {
    await notice.getByRole('button', { name: 'Try again' }).click()
    await untilHydrated(page)
    await logIn()
  }
  await answer.waitFor()
})
