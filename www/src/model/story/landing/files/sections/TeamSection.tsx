const people = [
  { name: 'Ruth Calder', role: 'Roasts, and burns her toast' },
  { name: 'Omar Haddad', role: 'Buys, and knows every farm by foot' },
  { name: 'Sanne Visser', role: 'Packs, posts and answers the phone' },
];

export function TeamSection() {
  return (
    <section className="section" id="team">
      <h2>Who roasts it</h2>
      <ul className="cards">
        {people.map((person) => (
          <li className="card" key={person.name}>
            <h3>{person.name}</h3>
            <p>{person.role}</p>
          </li>
        ))}
      </ul>
    </section>
  );
}
