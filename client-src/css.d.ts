/** What an imported style sheet is to the type checker: class names of a module, nothing of a plain sheet. */
declare module '*.module.css' {
  /** Local class name to the hashed one in the built sheet. */
  const classes: Readonly<Record<string, string>>
  export default classes
}

declare module '*.css'
