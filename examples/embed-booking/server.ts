/** A site with an embedded booking page. The booking page itself comes from Waypost. */
import { createServer } from 'node:http'

const waypost = process.env.WAYPOST_URL ?? 'http://127.0.0.1:3000'
const { BOOKING_CLIENT_ID: client = '', BOOKING_SLUG: slug = 'intro', PORT = '8080' } = process.env

const page = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>Talk to us</title>
<style>
  :root { color-scheme: light dark }
  body { max-width: 70rem; margin: 2rem auto; padding: 0 1rem; font: 1rem/1.5 system-ui, sans-serif }
</style>
</head>
<body>
<h1>Talk to us</h1>
<p id="thanks" role="status">Choose a time that suits you.</p>
<script src="${waypost}/book/embed.js" data-client-id="${client}" data-slug="${slug}" data-title="Book a time" async></script>
<script>
  document.addEventListener('waypost-booked', ({ detail }) => {
    const time = new Date(detail.start_time * 1000).toLocaleString()
    document.getElementById('thanks').textContent = 'Thank you! We talk on ' + time + '.'
  })
</script>
</body>
</html>`

const server = createServer((_, response) => {
  response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(page)
})
server.listen(Number(PORT), '127.0.0.1', () => console.log(`http://127.0.0.1:${PORT}`))
