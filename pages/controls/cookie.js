// Keeps a value in a cookie of this site, which the browser sends with every new connection.
export default function ({ data: { name, value, seconds } }) {
  document.cookie = `${name}=${value}; path=/; max-age=${seconds}; SameSite=Strict`;
}
