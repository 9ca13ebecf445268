// Keeps a value in a cookie, which the browser sends with every new connection; under HTTPS, only over TLS.
export default function ({ data: { name, value, seconds } }) {
  const secure = location.protocol === "https:" ? "; Secure" : "";
  document.cookie = `${name}=${value}; path=${window.attentionLabBase}/; max-age=${seconds}; SameSite=Strict${secure}`;
}
