import {
  BothFactors,
  ChangePassword,
  ConfirmTwoFa,
  FirstAdmin,
  ForgotPassword,
  NewPasskey,
  ProfileInput,
  Reauthentication,
  ResetPassword,
  SignIn,
  SignUp,
  VerifyTwoFa,
} from '@befaqt/domain/account'

/** Words of spec §5. */
const MISMATCH = "Confirm password doesn't match! Try again."

/** What the account forms are checked with; fetched by `schemaOf` when a form is first used. */
export const schemas = {
  AddPasskey: Reauthentication.extend({ name: NewPasskey.shape.name }),
  BothFactors,
  ChangePassword,
  ConfirmTwoFa,
  FirstAdmin,
  ForgotPassword,
  NewPasswordTwice: ResetPassword.loose().refine((form) => form.password === form.confirmPassword, {
    path: ['confirmPassword'],
    error: MISMATCH,
  }),
  Reauthentication,
  ProfileInput,
  SignIn,
  SignUp,
  VerifyTwoFa,
}
