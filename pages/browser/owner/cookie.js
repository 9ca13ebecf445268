// Keeps a value in a cookie of this site, which the browser sends with every new connection; over TLS with no other.
export default function ({ data: { name, value, seconds } }) {
  const secure = location.protocol === "https:" ? "; Secure" : "";
  document.cookie = `${name}=${value}; path=${window.attentionLabBase}/; max-age=${seconds}; SameSite=Strict${secure}`;
}
