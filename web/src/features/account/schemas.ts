import {
  BothFactors,
  ChangePassword,
  ConfirmTwoFa,
  FirstAdmin,
  ForgotPassword,
  PasswordAgain,
  ProfileInput,
  ResetPassword,
  SignIn,
  SignUp,
  VerifyTwoFa,
} from '@befaqt/domain/account'
import { NewPasskey } from '@befaqt/domain/passkey'

/** Words of spec §5. */
const MISMATCH = "Confirm password doesn't match! Try again."

/** What the account forms are checked with; fetched by `schemaOf` when a form is first used. */
export const schemas = {
  AddPasskey: PasswordAgain.extend({ name: NewPasskey.shape.name }),
  BothFactors,
  ChangePassword,
  ConfirmTwoFa,
  FirstAdmin,
  ForgotPassword,
  NewPasswordTwice: ResetPassword.loose().refine((form) => form.password === form.confirmPassword, {
    path: ['confirmPassword'],
    error: MISMATCH,
  }),
  PasswordAgain,
  ProfileInput,
  SignIn,
  SignUp,
  VerifyTwoFa,
}
