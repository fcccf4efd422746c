/** What an imported style sheet is to the type checker; scripts/css-plugin.ts makes it. */
declare module '*.module.css' {
  /** Local class name to the hashed one in the built sheet. */
  const classes: Readonly<Record<string, string>>
  export default classes
}

/** A plain sheet: in the page once imported. */
declare module '*.css' {}
