import { z } from 'zod'
import { isLongEnough, PASSWORD_MAX, PASSWORD_MIN } from './account-rules.ts'
import { Email, line, PHONE_ERROR, Phone, Role, Status } from './fields.ts'
import { CODE_DIGITS } from './limits.ts'

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

const long = (words: string) =>
  z
    .string({ error: words })
    .max(PASSWORD_MAX, `password must be at most ${PASSWORD_MAX} characters`)
    .refine(isLongEnough, words)

/** A new password: its length is counted in code points. Message of spec §5. */
export const NewPassword = long(`password must be ${PASSWORD_MIN} or more characters`)

/** A password to be verified: any text of limited length. */
export const TypedPassword = z
  .string({ error: 'password is required' })
  .min(1, 'password is required')
  .max(PASSWORD_MAX, `password must be at most ${PASSWORD_MAX} characters`)

export const FirstName = line('first name', 100)
export const LastName = line('last name', 100)

/** A URL of this site to which a token is appended. The server checks its origin. Source: product.md. */
const LinkBase = z.string({ error: 'link must be text' }).max(500, 'link must be at most 500 characters')

/** May be empty or missing at sign-up; when filled it must be a mobile number. Source: spec §5. */
const OptionalPhone = z
  .string({ error: PHONE_ERROR })
  .trim()
  .default('')
  .pipe(z.union([z.literal(''), Phone], { error: PHONE_ERROR }))

const same = { path: ['confirmPassword'], error: 're-entered password does not match' }

const NewPerson = z.object({
  fname: FirstName,
  lname: LastName,
  email: Email,
  phone: OptionalPhone,
  password: NewPassword,
  confirmPassword: z.string({ error: same.error }),
})

/** Checks the confirmation also when other fields are invalid, so that all errors are reported at once. */
const whenBothTyped = (payload: { value: unknown }): boolean =>
  typeof payload.value === 'object' &&
  payload.value !== null &&
  'password' in payload.value &&
  'confirmPassword' in payload.value

const passwordsMatch = (form: { password: string; confirmPassword: string }): boolean =>
  form.password === form.confirmPassword

/** Sign-up form. The page and POST /api/user/signUp parse with this same schema. Messages: spec §5. */
export const SignUp = NewPerson.extend({ actLink: LinkBase.optional() }).refine(passwordsMatch, {
  ...same,
  when: whenBothTyped,
})
export type SignUp = z.infer<typeof SignUp>

const LINK_ERROR = 'The link is not complete. Please open it again from the email.'
const LinkToken = z.string({ error: LINK_ERROR }).min(1, LINK_ERROR).max(200, LINK_ERROR)

/** Activation of an account by the token of its link. */
export const Activate = z.object({ token: LinkToken })
export type Activate = z.infer<typeof Activate>

/** Request for another activation email. */
export const ActivationAgain = z.object({ email: Email, actLink: LinkBase.optional() })
export type ActivationAgain = z.infer<typeof ActivationAgain>

/** Set-up form of the first administrator, with the token of the printed link. Source: product.md. */
export const FirstAdmin = NewPerson.extend({
  token: LinkToken,
}).refine(passwordsMatch, { ...same, when: whenBothTyped })
export type FirstAdmin = z.infer<typeof FirstAdmin>

/** Somebody new who was invited by email: the address is the invitation's. */
export const InvitedPerson = NewPerson.omit({ email: true }).refine(passwordsMatch, {
  ...same,
  when: whenBothTyped,
})
export type InvitedPerson = z.infer<typeof InvitedPerson>

const CODE_ERROR = `code must be ${CODE_DIGITS} digits`
const DIGITS = new RegExp(`^\\d{${CODE_DIGITS}}$`)

/** Six digits of an authenticator, or a recovery code: five and five letters or digits. Spaces are dropped. */
export const SecondFactorCode = z
  .string({ error: 'code must be text' })
  .max(40, CODE_ERROR)
  .transform((code) => code.replace(/[\s-]/g, '').toUpperCase())
  .refine((code) => DIGITS.test(code) || /^[0-9A-HJKMNP-TV-Z]{10}$/.test(code), CODE_ERROR)

/** Six digits of an authenticator. Source: spec §5. */
export const TotpCode = z
  .string({ error: CODE_ERROR })
  .transform((code) => code.replace(/\s/g, ''))
  .refine((code) => DIGITS.test(code), CODE_ERROR)

/** Sign-in: `twoFaToken` is empty or missing until a code is required. Source: spec §3. */
export const SignIn = z.object({
  email: Email,
  password: TypedPassword,
  twoFaToken: z.union([z.literal('').transform(() => undefined), SecondFactorCode]).nullish(),
})
export type SignIn = z.infer<typeof SignIn>

/** Sign-in with the second factor: the same fields, with the code required. Source: spec §7. */
export const VerifyTwoFa = SignIn.extend({ twoFaToken: SecondFactorCode })
export type VerifyTwoFa = z.infer<typeof VerifyTwoFa>

/** Request for a recovery email. Source: spec §7. */
export const ForgotPassword = z.object({ email: Email, resetPasswordLink: LinkBase.optional() })
export type ForgotPassword = z.infer<typeof ForgotPassword>

/** New password by the link of a recovery email; the page sends it twice. Messages of spec §5. */
export const ResetPassword = z
  .object({
    password: long(`enter password with ${PASSWORD_MIN} or more characters`),
    confirmPassword: z.string({ error: same.error }).optional(),
    emailToken: LinkToken,
  })
  .refine(({ password, confirmPassword = password }) => password === confirmPassword, {
    path: same.path,
    error: "Confirm password doesn't match! Try again.",
    when: whenBothTyped,
  })
export type ResetPassword = z.infer<typeof ResetPassword>

/** What owners may change of their profile; an email, if sent, must be the current one. Source: spec §5, §7. */
export const ProfileInput = z.object({
  fname: FirstName,
  lname: LastName,
  phone: Phone,
  email: z.string({ error: 'email must be text' }).max(320).optional(),
})
export type ProfileInput = z.infer<typeof ProfileInput>

/** The new email of one's own account. */
export const NewEmail = z.strictObject({ email: Email })
export type NewEmail = z.infer<typeof NewEmail>

/** What somebody says who opened a link about a change of an account's email: it is right, or it was not them. */
export const EmailChangeReply = z.strictObject({ token: LinkToken, isRight: z.boolean('is true or false') })
export type EmailChangeReply = z.infer<typeof EmailChangeReply>

/** Change of one's own password in the profile. */
export const ChangePassword = z
  .object({
    currentPassword: TypedPassword,
    password: NewPassword,
    confirmPassword: z.string({ error: same.error }),
  })
  .refine(passwordsMatch, { ...same, when: whenBothTyped })
export type ChangePassword = z.infer<typeof ChangePassword>

/** The password for reauthentication, before sensitive changes. */
export const Reauthentication = z.object({ password: TypedPassword })
export type Reauthentication = z.infer<typeof Reauthentication>

/** What confirms that it is still the owner of a session: the password, or a passkey's assertion. */
export const Confirmation = z
  .strictObject({ password: TypedPassword.optional(), response: PasskeySignIn.shape.response.optional() })
  .refine(({ password, response }) => (password === undefined) !== (response === undefined), {
    path: ['password'],
    error: 'password is required',
  })
export type Confirmation = z.infer<typeof Confirmation>

/** Password and code: required for turning the second factor off and for new recovery codes. */
export const BothFactors = z.object({ password: TypedPassword, twoFaToken: SecondFactorCode })
export type BothFactors = z.infer<typeof BothFactors>

/** First code of a new authenticator. */
export const ConfirmTwoFa = z.object({ twoFaToken: TotpCode })
export type ConfirmTwoFa = z.infer<typeof ConfirmTwoFa>

/** What managers change of an account; email and phone belong to their owner. Source: spec §6. */
export const ManagedAccount = z.object({ fname: FirstName, lname: LastName, role: Role, status: Status })
export type ManagedAccount = z.infer<typeof ManagedAccount>

/** An account as its owner and managers see it. Source: spec §3. */
export const Account = z.object({
  _id: z.string(),
  fname: z.string(),
  lname: z.string(),
  email: z.string(),
  phone: z.string(),
  role: Role,
  status: Status,
})
export type Account = z.infer<typeof Account>
