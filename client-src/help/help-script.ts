/** The script lib/help.js: what the page gets when somebody asks for help. */
export { KeyList } from './KeyList.tsx'
export * as words from '../words/keys.ts'
