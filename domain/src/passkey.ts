import { z } from 'zod'
import { line } from './text.ts'

/**
 * Bytes in base64url as their encoder writes them: without padding, and with no bits left over in the last character, so
 * that bytes have one text. Source: RFC 4648 §3.5 and §5.
 */
const BASE64URL = /^(?:[\w-]{4})*(?:[\w-][AQgw]|[\w-]{2}[AEIMQUYcgkosw048])?$/

/** Bytes in base64url, as in WebAuthn's JSON. Source: WebAuthn Level 3 §5.1.8. */
const bytes = (max: number) =>
  z
    .string({ error: 'must be base64url' })
    .min(1, 'must be base64url')
    .max(max, 'is too long')
    .regex(BASE64URL, 'must be base64url')

const credential = {
  id: bytes(2_000),
  rawId: bytes(2_000),
  type: z.literal('public-key', 'type must be public-key'),
  clientExtensionResults: z.object({}).default({}),
}

/** A new passkey from the browser, with its owner's name for it. */
export const NewPasskey = z.object({
  name: line('name', 60),
  response: z.object({
    ...credential,
    response: z.object({
      clientDataJSON: bytes(20_000),
      attestationObject: bytes(100_000),
      transports: z
        .array(z.enum(['ble', 'cable', 'hybrid', 'internal', 'nfc', 'smart-card', 'usb']))
        .default([]),
    }),
  }),
})
export type NewPasskey = z.infer<typeof NewPasskey>

/** A passkey's assertion for a sign-in. */
export const PasskeySignIn = z.object({
  response: z.object({
    ...credential,
    response: z.object({
      clientDataJSON: bytes(20_000),
      authenticatorData: bytes(20_000),
      signature: bytes(20_000),
      userHandle: bytes(1_000).exactOptional(),
    }),
  }),
})
export type PasskeySignIn = z.infer<typeof PasskeySignIn>
