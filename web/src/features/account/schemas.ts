import {
  BothFactors,
  ChangePassword,
  ConfirmTwoFa,
  FirstAdmin,
  ForgotPassword,
  InvitedPerson,
  NewEmail,
  NewPasskey,
  ProfileInput,
  Reauthentication,
  ResetPassword,
  SignIn,
  SignUp,
  VerifyTwoFa,
} from '@befaqt/domain/account'

/** What the account forms are checked with; fetched by `schemaOf` when a form is first used. */
export const schemas = {
  AddPasskey: Reauthentication.extend({ name: NewPasskey.shape.name }),
  BothFactors,
  ChangePassword,
  ConfirmTwoFa,
  FirstAdmin,
  ForgotPassword,
  InvitedPerson,
  NewEmail,
  Reauthentication,
  ProfileInput,
  ResetPassword,
  SignIn,
  SignUp,
  VerifyTwoFa,
}
