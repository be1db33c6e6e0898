/** The questions of a task that is not clear. Each can be answered with yes, and so with itself. */

export interface Choice {
  /** What is asked about, where all questions are about the same words. */
  about: string | null;
  /** What each question adds to that, with the question as a whole. */
  answers: ReadonlyArray<{ text: string; question: string }>;
}

/** `“some drinks”: should they be new?`, asked in several ways, is one question with several answers. */
export function choiceOf(questions: readonly string[]): Choice {
  const about = /^(“.*?”): /.exec(questions[0] ?? '')?.[1];
  const isShared = about !== undefined && questions.length > 1 && questions.every((question) => question.startsWith(`${about}: `));
  if (!isShared) return { about: null, answers: questions.map((question) => ({ text: question, question })) };
  return { about, answers: questions.map((question) => ({ text: capital(question.slice(about.length + 2)), question })) };
}

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
