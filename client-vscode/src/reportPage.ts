/** The server's report as a page for a panel: the editor's colours, and nothing from anywhere else. */

const POLICY = `<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">`;
const COLOURS = `<style>
body {
  --page: var(--vscode-editor-background); --card: var(--vscode-editorWidget-background, var(--vscode-editor-background));
  --ink: var(--vscode-editor-foreground); --quiet: var(--vscode-descriptionForeground);
  --line: var(--vscode-widget-border, var(--vscode-panel-border)); --track: var(--vscode-scrollbarSlider-background);
  --judged: var(--vscode-charts-blue); --offline: var(--vscode-charts-orange);
  --error: var(--vscode-editorError-foreground); --warning: var(--vscode-editorWarning-foreground);
  --information: var(--vscode-editorInfo-foreground); --hint: var(--vscode-descriptionForeground);
  --open: var(--vscode-editor-findMatchHighlightBackground);
  padding: 0; font-family: var(--vscode-font-family);
}
body.vscode-high-contrast, body.vscode-high-contrast-light { --line: var(--vscode-contrastBorder); --track: var(--vscode-contrastBorder); }
</style>`;

/** Give a page of the server the editor's colours. Its own strict policy stays; one without is given ours. */
export function themed(page: string): string {
  const policy = page.includes("Content-Security-Policy") ? "" : POLICY;
  return page.replace("</head>", () => `${policy}${COLOURS}</head>`);
}

/** Make a page of words. */
export function plainPage(text: string): string {
  const escaped = text.replace(/[&<>]/g, (sign) => ({ "&": "&amp;", "<": "&lt;", ">": "&gt;" })[sign] ?? sign);
  return `<!DOCTYPE html><html lang="en"><head><meta charset="utf-8">${POLICY}${COLOURS}<style>
body { background: var(--page); color: var(--ink); } pre { padding: 16px; white-space: pre-wrap; font-family: var(--vscode-editor-font-family); }
</style></head><body><pre>${escaped}</pre></body></html>`;
}
