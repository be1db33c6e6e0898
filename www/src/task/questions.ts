/** The questions of an unclear task. Each can be answered with yes, so a question is also an answer. */

export interface Choice {
  /** The quoted part of the message, if all questions have the same one. */
  about: string | null;
  /** The rest of each question, with the complete question. */
  answers: ReadonlyArray<{ text: string; question: string }>;
}

/** Several questions about the same part become one question with several answers. */
export function choiceOf(questions: readonly string[]): Choice {
  const about = /^(“.*?”): /.exec(questions[0] ?? '')?.[1];
  const isShared = about !== undefined && questions.length > 1 && questions.every((question) => question.startsWith(`${about}: `));
  if (!isShared) return { about: null, answers: questions.map((question) => ({ text: question, question })) };
  return { about, answers: questions.map((question) => ({ text: capital(question.slice(about.length + 2)), question })) };
}

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
