//! Statements, declarations, patterns and functions.

use super::tree::{Call, Declaration, Expression, Function, Item, Operator, Pattern, Property, Statement};
use oxc_ast::ast::{self, ArrowFunctionBody, AssignmentTarget, BindingPattern, ClassElement, ForStatementLeft};
use oxc_span::{GetSpan, Span};
use oxc_syntax::operator::{BinaryOperator, UpdateOperator};
use std::collections::BTreeMap;
use std::rc::Rc;

/// Converts the parser's tree, and collects comments.
pub(super) struct Reader<'s> {
    pub(super) text: &'s str,
    pub(super) blanks: Vec<(u32, u32)>,
    pub(super) dead: Vec<(u32, u32)>,
    /// How often a name is bound.
    pub(super) bound: BTreeMap<String, usize>,
    /// The names of the constants `true` and `false`.
    pub(super) constants: BTreeMap<String, bool>,
    /// Declarations that do nothing unless something names them, less the exported ones.
    pub(super) locals: Vec<(String, (u32, u32))>,
}

pub(super) fn span(span: Span) -> (u32, u32) {
    (span.start, span.end)
}

impl<'s> Reader<'s> {
    pub(super) fn new(text: &'s str) -> Self {
        Self {
            text,
            blanks: Vec::new(),
            dead: Vec::new(),
            bound: BTreeMap::new(),
            constants: BTreeMap::new(),
            locals: Vec::new(),
        }
    }

    pub(super) fn statements(&mut self, statements: &[ast::Statement<'_>]) -> Vec<Statement> {
        let mut read = Vec::new();
        self.note_constants(statements);
        self.note_unreached(statements);
        statements.iter().for_each(|statement| self.statement(statement, &mut read));
        read
    }

    pub(super) fn statement(&mut self, statement: &ast::Statement<'_>, into: &mut Vec<Statement>) {
        let read = match statement {
            ast::Statement::ReturnStatement(statement) => {
                Statement::Return(statement.argument.as_ref().map(|value| self.expression(value)))
            }
            ast::Statement::ExpressionStatement(statement) => {
                let value = self.expression(&statement.expression);
                // `void Footer` does nothing.
                if matches!(value, Expression::Nothing) {
                    self.dead.push(span(statement.span));
                }
                Statement::Expression(value)
            }
            ast::Statement::BlockStatement(block) => Statement::Block(self.statements(&block.body)),
            ast::Statement::IfStatement(choice) => {
                let test = self.expression(&choice.test);
                let (then, otherwise) = (&choice.consequent, choice.alternate.as_ref());
                match self.note_branch(&test, choice.span, otherwise.map(GetSpan::span)) {
                    Some(true) => Statement::Block(self.one(then)),
                    Some(false) => Statement::Block(otherwise.map(|one| self.one(one)).unwrap_or_default()),
                    None => {
                        let then = self.one(then);
                        Statement::If { test, then, otherwise: otherwise.map(|one| self.one(one)).unwrap_or_default() }
                    }
                }
            }
            ast::Statement::SwitchStatement(switch) => {
                into.push(Statement::Expression(self.expression(&switch.discriminant)));
                for case in &switch.cases {
                    let then = self.statements(&case.consequent);
                    into.push(Statement::If { test: Expression::Other(Vec::new()), then, otherwise: Vec::new() });
                }
                return;
            }
            ast::Statement::TryStatement(attempt) => {
                into.extend(self.statements(&attempt.block.body));
                if let Some(handler) = &attempt.handler {
                    let then = self.statements(&handler.body.body);
                    into.push(Statement::If { test: Expression::Other(Vec::new()), then, otherwise: Vec::new() });
                }
                if let Some(last) = &attempt.finalizer {
                    into.extend(self.statements(&last.body));
                }
                return;
            }
            ast::Statement::LabeledStatement(labeled) => return self.statement(&labeled.body, into),
            ast::Statement::ForOfStatement(each) => self.each(&each.left, &each.right, &each.body),
            ast::Statement::ForInStatement(each) => {
                let mut read = self.each(&each.left, &each.right, &each.body);
                if let Statement::Each { over, .. } = &mut read {
                    let record = std::mem::replace(over, Expression::Nothing);
                    *over = keys_of(each.span.start, record);
                }
                read
            }
            ast::Statement::ForStatement(repeated) => self.counted(repeated),
            ast::Statement::WhileStatement(repeated) => self.repeated(&repeated.test, &repeated.body),
            ast::Statement::DoWhileStatement(repeated) => self.repeated(&repeated.test, &repeated.body),
            statement => match statement.as_declaration() {
                Some(declaration) => {
                    let first = into.len();
                    self.declaration(declaration, statement.span(), into);
                    self.note_local(into.get(first..).unwrap_or_default());
                    return;
                }
                None => return,
            },
        };
        into.push(read);
    }

    fn one(&mut self, statement: &ast::Statement<'_>) -> Vec<Statement> {
        self.statements(std::slice::from_ref(statement))
    }

    fn each(
        &mut self,
        left: &ForStatementLeft<'_>,
        right: &ast::Expression<'_>,
        body: &ast::Statement<'_>,
    ) -> Statement {
        let item = match left {
            ForStatementLeft::VariableDeclaration(variable) => {
                variable.declarations.first().map(|declared| self.pattern(&declared.id))
            }
            _ => None,
        };
        Statement::Each { item, over: self.expression(right), body: self.one(body) }
    }

    /// `for (let i = 0; i < n; i++)` becomes a loop over n items; other loops are over an unknown number.
    fn counted(&mut self, repeated: &ast::ForStatement<'_>) -> Statement {
        if let (Some(ast::ForStatementInit::VariableDeclaration(variable)), Some(test), Some(update)) =
            (&repeated.init, &repeated.test, &repeated.update)
            && let [declared] = variable.declarations.as_slice()
            && let (Some(name), Some(from)) = (declared.id.get_identifier_name(), &declared.init)
            && let ast::Expression::BinaryExpression(test) = test
            && let ast::Expression::Identifier(tested) = &test.left
            && let ast::Expression::UpdateExpression(step) = update
            && tested.name == name
            && step.operator == UpdateOperator::Increment
            && matches!(test.operator, BinaryOperator::LessThan | BinaryOperator::LessEqualThan)
        {
            let extra = if test.operator == BinaryOperator::LessEqualThan { 1.0 } else { 0.0 };
            let end =
                Expression::Binary(Operator::Add, Box::new([self.expression(&test.right), Expression::Number(extra)]));
            let length = Expression::Binary(Operator::Subtract, Box::new([end, self.expression(from)]));
            let over = array_of(repeated.span.start, length);
            return Statement::Each {
                item: Some(Pattern::Name(Rc::from(&*name))),
                over,
                body: self.one(&repeated.body),
            };
        }
        let mut body = Vec::new();
        if let Some(ast::ForStatementInit::VariableDeclaration(variable)) = &repeated.init {
            self.variables(variable, repeated.span, &mut body);
        }
        let test = repeated.test.iter().map(|test| self.expression(test)).collect();
        body.push(Statement::Each { item: None, over: Expression::Other(test), body: self.one(&repeated.body) });
        Statement::Block(body)
    }

    /// A loop over an unknown number of items.
    fn repeated(&mut self, test: &ast::Expression<'_>, body: &ast::Statement<'_>) -> Statement {
        Statement::Each { item: None, over: Expression::Other(vec![self.expression(test)]), body: self.one(body) }
    }

    pub(super) fn declaration(&mut self, declaration: &ast::Declaration<'_>, range: Span, into: &mut Vec<Statement>) {
        match declaration {
            ast::Declaration::VariableDeclaration(variables) => self.variables(variables, range, into),
            ast::Declaration::FunctionDeclaration(function) if function.body.is_some() => {
                let value = self.function(function);
                into.extend(function.name().map(|name| declare(&name, value, range)));
            }
            ast::Declaration::ClassDeclaration(class) => {
                let value = self.class(class);
                into.extend(class.id.as_ref().map(|id| declare(&id.name, value, range)));
            }
            ast::Declaration::TSEnumDeclaration(declared) => {
                let members = declared.body.members.iter().map(|member| {
                    let name = Expression::Text(Rc::from(&*member.id.static_name()));
                    let value = member.initializer.as_ref().map(|value| self.expression(value));
                    let value = value.unwrap_or_else(|| Expression::Text(Rc::from(&*member.id.static_name())));
                    Property::Pair { span: span(member.span), key: name, value }
                });
                let value = Expression::Object(members.collect());
                into.push(declare(&declared.id.name, value, range));
            }
            _ => {}
        }
    }

    fn variables(&mut self, variables: &ast::VariableDeclaration<'_>, range: Span, into: &mut Vec<Statement>) {
        for variable in &variables.declarations {
            let annotation = variable.type_annotation.as_ref().map(|annotation| annotation.span);
            into.push(Statement::Declare(Declaration {
                pattern: self.pattern(&variable.id),
                value: variable.init.as_ref().map(|value| self.expression(value)),
                type_words: self.words(annotation),
                span: span(range),
            }));
        }
    }

    /// The source text of a type.
    pub(super) fn words(&self, type_span: Option<Span>) -> String {
        let text = type_span.and_then(|span| self.text.get(span.start as usize..span.end as usize));
        text.unwrap_or_default().to_owned()
    }

    pub(super) fn pattern(&mut self, pattern: &BindingPattern<'_>) -> Pattern {
        match pattern {
            BindingPattern::BindingIdentifier(id) => {
                *self.bound.entry(id.name.to_string()).or_default() += 1;
                Pattern::Name(id.name.as_str().into())
            }
            BindingPattern::ObjectPattern(object) => {
                let mut fields = Vec::new();
                for property in &object.properties {
                    let key = property.key.static_name().unwrap_or_default().into_owned();
                    fields.push((key, self.pattern(&property.value)));
                }
                let rest = object.rest.as_ref().map(|rest| Box::new(self.pattern(&rest.argument)));
                Pattern::Object(fields, rest)
            }
            BindingPattern::ArrayPattern(array) => {
                let items = array.elements.iter().map(|item| item.as_ref().map(|item| self.pattern(item))).collect();
                let rest = array.rest.as_ref().map(|rest| Box::new(self.pattern(&rest.argument)));
                Pattern::Array(items, rest)
            }
            BindingPattern::AssignmentPattern(assigned) => {
                Pattern::Default(Box::new(self.pattern(&assigned.left)), self.expression(&assigned.right))
            }
        }
    }

    pub(super) fn target(&self, target: &AssignmentTarget<'_>) -> Pattern {
        match target {
            AssignmentTarget::AssignmentTargetIdentifier(id) => Pattern::Name(id.name.as_str().into()),
            _ => Pattern::Other,
        }
    }

    pub(super) fn function(&mut self, function: &ast::Function<'_>) -> Expression {
        let body = function.body.as_ref().map(|body| self.statements(&body.statements)).unwrap_or_default();
        self.with_parameters(&function.params, body)
    }

    pub(super) fn arrow(&mut self, arrow: &ast::ArrowFunctionExpression<'_>) -> Expression {
        let body = match &arrow.body {
            ArrowFunctionBody::FunctionBody(body) => self.statements(&body.statements),
            body => vec![Statement::Return(body.as_expression().map(|value| self.expression(value)))],
        };
        self.with_parameters(&arrow.params, body)
    }

    fn with_parameters(&mut self, parameters: &ast::FormalParameters<'_>, body: Vec<Statement>) -> Expression {
        let mut read = Vec::new();
        for parameter in &parameters.items {
            let pattern = self.pattern(&parameter.pattern);
            read.push(match &parameter.initializer {
                Some(default) => Pattern::Default(Box::new(pattern), self.expression(default)),
                None => pattern,
            });
        }
        let rest = parameters.rest.as_ref().map(|rest| self.pattern(&rest.rest.argument));
        Expression::Function(Rc::new(Function { parameters: read, rest, body }))
    }

    /// Reads a class as a component: a function of its props with `this` that does what `render` does.
    pub(super) fn class(&mut self, class: &ast::Class<'_>) -> Expression {
        const PROPS: &str = "props";
        let (mut members, mut render) = (Vec::new(), Vec::new());
        members.push(pair(class.span, PROPS, Expression::Name(PROPS.into())));
        for member in &class.body.body {
            match member {
                ClassElement::PropertyDefinition(property) => {
                    if let (Some(name), Some(value)) = (property.key.static_name(), &property.value) {
                        members.push(pair(property.span, &name, self.expression(value)));
                    }
                }
                ClassElement::MethodDefinition(method) => match method.key.static_name().as_deref() {
                    Some("render") => {
                        let body = method.value.body.as_ref();
                        render = body.map(|body| self.statements(&body.statements)).unwrap_or_default();
                    }
                    Some(name) => members.push(pair(method.span, name, self.function(&method.value))),
                    None => {}
                },
                _ => {}
            }
        }
        let mut body = vec![declare("this", Expression::Object(members), class.span)];
        body.extend(render);
        let parameters = vec![Pattern::Name(PROPS.into())];
        Expression::Function(Rc::new(Function { parameters, rest: None, body }))
    }
}

fn declare(name: &str, value: Expression, range: Span) -> Statement {
    Statement::Declare(Declaration {
        pattern: Pattern::Name(name.into()),
        value: Some(value),
        type_words: String::new(),
        span: span(range),
    })
}

fn pair(range: Span, name: &str, value: Expression) -> Property {
    Property::Pair { span: span(range), key: Expression::Text(name.into()), value }
}

/// `Object.keys(record)`.
fn keys_of(at: u32, record: Expression) -> Expression {
    call(at, "Object", "keys", record)
}

/// `Array.from({ length })`.
fn array_of(at: u32, length: Expression) -> Expression {
    call(at, "Array", "from", Expression::Object(vec![pair(Span::new(at, at), "length", length)]))
}

fn call(at: u32, object: &str, method: &str, argument: Expression) -> Expression {
    let callee = Box::new([Expression::Name(object.into()), Expression::Text(method.into())]);
    Expression::Call(Box::new(Call {
        callee: Expression::Member(callee),
        arguments: vec![Item { at, spread: false, value: argument }],
        type_words: String::new(),
    }))
}
