//! Expressions and JSX.

use super::parse::decoded;
use super::statement::{Reader, span};
use super::tree::{Attribute, Call, Child, Element, Expression, Item, Operator, Property};
use oxc_ast::ast::{self, ChainElement, JSXAttributeItem, JSXAttributeName, JSXAttributeValue, JSXChild};
use oxc_span::{GetSpan, Span};
use oxc_syntax::operator::{BinaryOperator, LogicalOperator, UnaryOperator};
use std::rc::Rc;

impl Reader<'_> {
    pub(super) fn expression(&mut self, expression: &ast::Expression<'_>) -> Expression {
        use ast::Expression as From;
        match expression {
            From::StringLiteral(text) => Expression::Text(text.value.as_str().into()),
            From::NumericLiteral(number) => Expression::Number(number.value),
            From::BooleanLiteral(value) => Expression::Boolean(value.value),
            From::NullLiteral(_) => Expression::Nothing,
            From::Identifier(name) if name.name == "undefined" => Expression::Nothing,
            From::Identifier(name) => Expression::Name(name.name.as_str().into()),
            From::ThisExpression(_) => Expression::Name("this".into()),
            From::TemplateLiteral(template) => self.template(template),
            From::ArrayExpression(array) => self.array(array),
            From::ObjectExpression(object) => self.object(object),
            From::ArrowFunctionExpression(arrow) => self.arrow(arrow),
            From::FunctionExpression(function) => self.function(function),
            From::ClassExpression(class) => self.class(class),
            From::CallExpression(call) => self.call(call),
            From::NewExpression(new) => {
                let type_words = self.words(new.type_arguments.as_ref().map(|arguments| arguments.span));
                let callee = self.expression(&new.callee);
                let arguments = self.arguments(&new.arguments);
                Expression::Call(Box::new(Call { callee, arguments, type_words }))
            }
            From::ChainExpression(chain) => match &chain.expression {
                ChainElement::CallExpression(call) => self.call(call),
                ChainElement::TSNonNullExpression(inner) => self.expression(&inner.expression),
                element => element.as_member_expression().map_or(Expression::Nothing, |member| self.member(member)),
            },
            From::ConditionalExpression(choice) => {
                let test = self.expression(&choice.test);
                let (then, otherwise) = (&choice.consequent, &choice.alternate);
                match self.note_branch(&test, choice.span, Some(otherwise.span())) {
                    Some(true) => self.expression(then),
                    Some(false) => self.expression(otherwise),
                    None => Expression::Choice(Box::new([test, self.expression(then), self.expression(otherwise)])),
                }
            }
            From::LogicalExpression(logical) => {
                let left = self.expression(&logical.left);
                if logical.operator == LogicalOperator::And
                    && self.note_branch(&left, logical.span, None) == Some(false)
                {
                    return Expression::Boolean(false);
                }
                let sides = Box::new([left, self.expression(&logical.right)]);
                match logical.operator {
                    LogicalOperator::And => Expression::And(sides),
                    LogicalOperator::Or => Expression::Or(sides),
                    LogicalOperator::Coalesce => Expression::Else(sides),
                }
            }
            From::UnaryExpression(unary) => self.unary(unary),
            From::BinaryExpression(binary) => {
                let sides = [self.expression(&binary.left), self.expression(&binary.right)];
                match operator(binary.operator) {
                    Some(operator) => Expression::Binary(operator, Box::new(sides)),
                    None => Expression::Other(sides.into()),
                }
            }
            From::AssignmentExpression(assign) => {
                let (target, value) = (self.target(&assign.left), self.expression(&assign.right));
                Expression::Assign(Box::new((target, value)))
            }
            From::SequenceExpression(sequence) => {
                Expression::Other(sequence.expressions.iter().map(|inner| self.expression(inner)).collect())
            }
            From::TaggedTemplateExpression(tagged) => {
                Expression::Other(vec![self.expression(&tagged.tag), self.template(&tagged.quasi)])
            }
            From::ImportExpression(import) => match &import.source {
                From::StringLiteral(path) => Expression::Import(path.value.to_string()),
                source => match self.expression(source) {
                    Expression::Text(path) => Expression::Import(path.to_string()),
                    source => Expression::Other(vec![Expression::Import(String::new()), source]),
                },
            },
            From::JSXElement(element) => self.element(element),
            From::JSXFragment(fragment) => self.fragment(fragment),
            From::ParenthesizedExpression(inner) => self.expression(&inner.expression),
            From::TSAsExpression(inner) => self.expression(&inner.expression),
            From::TSSatisfiesExpression(inner) => self.expression(&inner.expression),
            From::TSTypeAssertion(inner) => self.expression(&inner.expression),
            From::TSNonNullExpression(inner) => self.expression(&inner.expression),
            From::TSInstantiationExpression(inner) => self.expression(&inner.expression),
            From::AwaitExpression(inner) => self.expression(&inner.argument),
            From::YieldExpression(inner) => {
                Expression::Other(inner.argument.iter().map(|argument| self.expression(argument)).collect())
            }
            expression => match expression.as_member_expression() {
                Some(member) => self.member(member),
                None => Expression::Other(Vec::new()),
            },
        }
    }

    fn member(&mut self, member: &ast::MemberExpression<'_>) -> Expression {
        let object = self.expression(member.object());
        let name = match member {
            ast::MemberExpression::ComputedMemberExpression(computed) => self.expression(&computed.expression),
            ast::MemberExpression::StaticMemberExpression(fixed) => {
                Expression::Text(fixed.property.name.as_str().into())
            }
            ast::MemberExpression::PrivateFieldExpression(private) => {
                Expression::Text(private.field.name.as_str().into())
            }
        };
        Expression::Member(Box::new([object, name]))
    }

    fn call(&mut self, call: &ast::CallExpression<'_>) -> Expression {
        let type_words = self.words(call.type_arguments.as_ref().map(|arguments| arguments.span));
        let callee = self.expression(&call.callee);
        let arguments = self.arguments(&call.arguments);
        Expression::Call(Box::new(Call { callee, arguments, type_words }))
    }

    fn arguments(&mut self, arguments: &[ast::Argument<'_>]) -> Vec<Item> {
        let mut items = Vec::new();
        for argument in arguments {
            items.push(match argument {
                ast::Argument::SpreadElement(spread) => self.item(spread.span, true, Some(&spread.argument)),
                argument => self.item(argument.span(), false, argument.as_expression()),
            });
        }
        items
    }

    fn array(&mut self, array: &ast::ArrayExpression<'_>) -> Expression {
        let mut items = Vec::new();
        for element in &array.elements {
            items.push(match element {
                ast::ArrayExpressionElement::SpreadElement(spread) => {
                    self.item(spread.span, true, Some(&spread.argument))
                }
                element => self.item(element.span(), false, element.as_expression()),
            });
        }
        Expression::Array(items)
    }

    fn item(&mut self, span: Span, spread: bool, value: Option<&ast::Expression<'_>>) -> Item {
        let value = value.map_or(Expression::Nothing, |value| self.expression(value));
        Item { at: span.start, spread, value }
    }

    fn object(&mut self, object: &ast::ObjectExpression<'_>) -> Expression {
        let mut properties = Vec::new();
        for property in &object.properties {
            properties.push(match property {
                ast::ObjectPropertyKind::SpreadProperty(spread) => Property::Spread(self.expression(&spread.argument)),
                ast::ObjectPropertyKind::ObjectProperty(property) => {
                    let key = match property.key.static_name() {
                        Some(name) => Expression::Text(Rc::from(&*name)),
                        None => property.key.as_expression().map_or(Expression::Nothing, |key| self.expression(key)),
                    };
                    Property::Pair {
                        span: (property.span.start, property.span.end),
                        key,
                        value: self.expression(&property.value),
                    }
                }
            });
        }
        Expression::Object(properties)
    }

    fn template(&mut self, template: &ast::TemplateLiteral<'_>) -> Expression {
        let text = |quasi: &ast::TemplateElement<'_>| {
            Expression::Text(quasi.value.cooked.as_ref().map_or("", |text| text.as_str()).into())
        };
        if let [only] = template.quasis.as_slice() {
            return text(only);
        }
        let mut parts = Vec::new();
        let mut holes = template.expressions.iter();
        for quasi in &template.quasis {
            parts.push(text(quasi));
            parts.extend(holes.next().map(|hole| self.expression(hole)));
        }
        Expression::Template(parts)
    }

    fn unary(&mut self, unary: &ast::UnaryExpression<'_>) -> Expression {
        let argument = self.expression(&unary.argument);
        match (unary.operator, argument) {
            (UnaryOperator::LogicalNot, argument) => Expression::Not(Box::new(argument)),
            (UnaryOperator::UnaryNegation, Expression::Number(number)) => Expression::Number(-number),
            (UnaryOperator::UnaryPlus, argument) => argument,
            (UnaryOperator::Void, Expression::Name(_) | Expression::Number(_)) => Expression::Nothing,
            (_, argument) => Expression::Other(vec![argument]),
        }
    }

    fn element(&mut self, element: &ast::JSXElement<'_>) -> Expression {
        let opening = &element.opening_element;
        let mut attributes = Vec::new();
        for item in &opening.attributes {
            attributes.push(match item {
                JSXAttributeItem::SpreadAttribute(spread) => Attribute::Spread(self.expression(&spread.argument)),
                JSXAttributeItem::Attribute(attribute) => {
                    let name = match &attribute.name {
                        JSXAttributeName::Identifier(name) => name.name.as_str(),
                        JSXAttributeName::NamespacedName(name) => name.name.name.as_str(),
                    };
                    let place = attribute.value.as_ref().map_or((0, 0), |value| span(value.span()));
                    Attribute::Named(name.into(), self.attribute_value(attribute.value.as_ref()), place)
                }
            });
        }
        let name: Rc<str> = self.words(Some(opening.name.span())).into();
        self.note_hidden(&name, &attributes, element.span);
        let children = self.children(&element.children);
        Expression::Element(Box::new(Element { at: element.span.start, name, attributes, children }))
    }

    fn fragment(&mut self, fragment: &ast::JSXFragment<'_>) -> Expression {
        let children = self.children(&fragment.children);
        let element = Element { at: fragment.span.start, name: Rc::from(""), attributes: Vec::new(), children };
        Expression::Element(Box::new(element))
    }

    fn attribute_value(&mut self, value: Option<&JSXAttributeValue<'_>>) -> Expression {
        match value {
            None => Expression::Boolean(true),
            Some(JSXAttributeValue::StringLiteral(text)) => Expression::Text((&*decoded(&text.value)).into()),
            Some(JSXAttributeValue::Element(element)) => self.element(element),
            Some(JSXAttributeValue::Fragment(fragment)) => self.fragment(fragment),
            Some(JSXAttributeValue::ExpressionContainer(container)) => {
                container.expression.as_expression().map_or(Expression::Nothing, |value| self.expression(value))
            }
        }
    }

    fn children(&mut self, children: &[JSXChild<'_>]) -> Vec<Child> {
        let mut read = Vec::new();
        for child in children {
            match child {
                JSXChild::Text(text) => {
                    let text = decoded(&text.value);
                    let words: Vec<&str> = text.split_whitespace().collect();
                    if !words.is_empty() {
                        read.push(Child::Text(words.join(" ").into()));
                    }
                }
                JSXChild::Element(inner) => read.push(Child::Expression(self.element(inner), span(inner.span))),
                JSXChild::Fragment(fragment) => read.extend(self.children(&fragment.children)),
                JSXChild::Spread(spread) => {
                    read.push(Child::Expression(self.expression(&spread.expression), span(spread.span)));
                }
                JSXChild::ExpressionContainer(container) => match container.expression.as_expression() {
                    Some(expression) => {
                        let expression = self.expression(expression);
                        if is_nothing(&expression) {
                            self.dead.push(span(container.span));
                        }
                        read.push(Child::Expression(expression, span(container.span)));
                    }
                    None => self.blanks.push(span(container.span)),
                },
            }
        }
        read
    }
}

/// Whether a value in braces renders nothing: `false && <Footer />`.
fn is_nothing(value: &Expression) -> bool {
    matches!(value, Expression::Boolean(_) | Expression::Nothing)
}

fn operator(operator: BinaryOperator) -> Option<Operator> {
    Some(match operator {
        BinaryOperator::Equality | BinaryOperator::StrictEquality => Operator::Equal,
        BinaryOperator::Inequality | BinaryOperator::StrictInequality => Operator::Unequal,
        BinaryOperator::LessThan => Operator::Less,
        BinaryOperator::LessEqualThan => Operator::LessOrEqual,
        BinaryOperator::GreaterThan => Operator::Greater,
        BinaryOperator::GreaterEqualThan => Operator::GreaterOrEqual,
        BinaryOperator::Addition => Operator::Add,
        BinaryOperator::Subtraction => Operator::Subtract,
        BinaryOperator::Multiplication => Operator::Multiply,
        BinaryOperator::Division => Operator::Divide,
        BinaryOperator::Remainder => Operator::Remainder,
        _ => return None,
    })
}
