const questions = [
  { question: 'How fresh is it?', answer: 'We roast on Tuesdays and post on Wednesdays. The date is on the bag.' },
  { question: 'Do you grind it?', answer: 'Yes, for any machine. Whole beans keep for longer, though.' },
  { question: 'Can I send it back?', answer: 'Always, opened or not. We pay the postage.' },
];

export function FaqSection() {
  return (
    <section className="section" id="faq">
      <h2>Questions we are asked</h2>
      {questions.map(({ question, answer }) => (
        <details className="card" key={question}>
          <summary>{question}</summary>
          <p>{answer}</p>
        </details>
      ))}
    </section>
  );
}
