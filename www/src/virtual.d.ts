declare module 'virtual:preview-runtime' {
  /** React as one classic script that sets `previewModules`. */
  const script: string;
  export default script;
}
