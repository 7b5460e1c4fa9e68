import type { Shop } from './shop.ts'

const EMAIL = 'bench@shop.example'
const PASSWORD = 'measured-not-guessed'

/** Settings that create a new shop's administrator. */
export const ADMIN = { ADMIN_EMAIL: EMAIL, ADMIN_PASSWORD: PASSWORD }

/** Signs the administrator in. Returns the session's token. */
export async function signIn({ url }: Shop): Promise<string> {
  const response = await fetch(`${url}/api/user/signIn`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      origin: new URL(url).origin,
    },
    body: JSON.stringify({ email: EMAIL, password: PASSWORD }),
  })
  if (!response.ok) throw new Error(`sign-in: ${response.status} ${await response.text()}`)
  const { token } = (await response.json()) as { token: string }
  return token
}

/** The Authorization header for a session token or an API key. */
export const bearer = (token: string): { authorization: string } => ({ authorization: `Bearer ${token}` })
