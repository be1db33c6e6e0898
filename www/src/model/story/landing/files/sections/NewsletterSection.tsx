import { useState } from 'react';

export function NewsletterSection() {
  const [sent, setSent] = useState(false);
  return (
    <section className="section" id="newsletter">
      <h2>A letter a month</h2>
      {sent ? (
        <p role="status">Thank you. The next letter is yours.</p>
      ) : (
        <form className="actions" onSubmit={(event) => { event.preventDefault(); setSent(true); }}>
          <label>
            Email <input type="email" required />
          </label>
          <button className="button" type="submit">Subscribe</button>
        </form>
      )}
    </section>
  );
}
