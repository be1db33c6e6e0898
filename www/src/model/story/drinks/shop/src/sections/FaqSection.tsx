const questions = [
  { question: 'How much caffeine is in a can?', answer: '80 mg, as much as in a cup of coffee.' },
  { question: 'Is there sugar in it?', answer: 'Only what the fruit brings.' },
  { question: 'May children drink it?', answer: 'No. It is made for adults.' },
];

export function FaqSection() {
  return (
    <section className="section" id="faq">
      <h2>Good to know</h2>
      {questions.map(({ question, answer }) => (
        <details key={question}>
          <summary>{question}</summary>
          <p>{answer}</p>
        </details>
      ))}
    </section>
  );
}
