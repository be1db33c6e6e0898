const quotes = [
  { name: 'Amina, Leeds', text: 'I stopped adding sugar in the second week.' },
  { name: 'Jonas, Bristol', text: 'The first bag that tasted the way it smelled.' },
  { name: 'Mei, Edinburgh', text: 'The postman asks me what is in the box.' },
];

export function TestimonialsSection() {
  return (
    <section className="section" id="testimonials">
      <h2>What drinkers say</h2>
      <ul className="cards">
        {quotes.map((quote) => (
          <li className="card" key={quote.name}>
            <blockquote>{quote.text}</blockquote>
            <p className="muted">{quote.name}</p>
          </li>
        ))}
      </ul>
    </section>
  );
}
