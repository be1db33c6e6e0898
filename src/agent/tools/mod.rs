//! The built-in tools, one file per tool: its schema and its implementation.

mod complete_task;
mod delete_file;
mod edit_file;
mod history;
mod list_files;
mod move_file;
mod name;
mod open;
mod plan;
mod read_file;
mod search;
mod shell;
mod snapshot;
mod write_file;

pub(super) use edit_file::advice as edit_advice;
pub use name::check_tool_names;
pub(super) use name::{accepted, undecorated};

use super::arguments::Args;
use super::fact::Observer;
use super::files::{Listing, walk};
use super::guarded_fs::GuardedFs;
use super::{AnswerShape, IterationInput};
use crate::error::Error;
use crate::port::{
    Abort, FunctionSchema, Host, Image, ModelPort, PortError, PortErrorKind, PortResult, Rights, ToolPort, ToolSchema,
    Toolset,
};
use serde_json::{Map, Value, json};
use std::cell::RefCell;

/// The environment of a tool call.
pub(super) struct Context<'a> {
    pub host: &'a Host,
    pub input: &'a IterationInput<'a>,
    /// Guarded access to the project's files.
    pub files: &'a GuardedFs<'a>,
    pub abort: &'a Abort,
    pub observer: &'a dyn Observer,
    /// What the call shows besides its text.
    pub images: &'a RefCell<Vec<Image>>,
}

impl Context<'_> {
    /// The files below a folder that the role may read.
    async fn listing(&self, start: &str, limit: usize) -> PortResult<Listing> {
        let mut listing = walk(self.host.project(), start, limit).await?;
        listing.files.retain(|path, _| self.files.may_read(path));
        listing.skipped.retain(|path| self.files.may_read(path));
        Ok(listing)
    }
}

/// Why a tool failed, as text for the model.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Failure(pub String);

/// What the result of a call that failed begins with.
pub(super) const ERROR: &str = "Error: ";

/// The result text for the model.
pub(super) type Outcome = Result<String, Failure>;

/// A built-in tool.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum BuiltIn {
    ReadFile,
    WriteFile,
    EditFile,
    ListFiles,
    Search,
    History,
    DeleteFile,
    MoveFile,
    Plan,
    Snapshot,
    Shell,
    CompleteTask,
}

impl BuiltIn {
    /// In the order in which the model sees them.
    pub(super) const ALL: [BuiltIn; 12] = [
        BuiltIn::ReadFile,
        BuiltIn::WriteFile,
        BuiltIn::EditFile,
        BuiltIn::ListFiles,
        BuiltIn::Search,
        BuiltIn::History,
        BuiltIn::DeleteFile,
        BuiltIn::MoveFile,
        BuiltIn::Plan,
        BuiltIn::Snapshot,
        BuiltIn::Shell,
        BuiltIn::CompleteTask,
    ];

    pub(super) fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|tool| tool.name() == name)
    }

    pub(super) fn name(self) -> &'static str {
        match self {
            BuiltIn::ReadFile => "read_file",
            BuiltIn::WriteFile => "write_file",
            BuiltIn::EditFile => "edit_file",
            BuiltIn::ListFiles => "list_files",
            BuiltIn::Search => "search",
            BuiltIn::History => "history",
            BuiltIn::DeleteFile => "delete_file",
            BuiltIn::MoveFile => "move_file",
            BuiltIn::Plan => "plan",
            BuiltIn::Snapshot => "snapshot",
            BuiltIn::Shell => "shell",
            BuiltIn::CompleteTask => "complete_task",
        }
    }

    /// Whether the tool changes files, through the guard.
    pub(super) fn writes(self) -> bool {
        matches!(
            self,
            BuiltIn::WriteFile | BuiltIn::EditFile | BuiltIn::DeleteFile | BuiltIn::MoveFile | BuiltIn::Snapshot
        )
    }

    /// Whether the tool belongs to a set.
    pub(super) fn is_for(self, tools: Toolset) -> bool {
        match tools {
            Toolset::Task => true,
            Toolset::Work => self != BuiltIn::Plan,
            Toolset::Read => matches!(
                self,
                BuiltIn::ReadFile | BuiltIn::ListFiles | BuiltIn::Search | BuiltIn::History | BuiltIn::CompleteTask
            ),
            Toolset::Nothing => false,
        }
    }

    /// The tool's description and parameters for a model.
    pub(super) fn schema(self, host: &Host, model: Option<&str>, answer: Option<&AnswerShape>) -> ToolSchema {
        let name = self.name().to_owned();
        if let (Self::CompleteTask, Some(AnswerShape { description, parameters })) = (self, answer) {
            return function(FunctionSchema { name, description: description.clone(), parameters: parameters.clone() });
        }
        let (description, arguments, required) = match self {
            BuiltIn::ReadFile => read_file::schema(host.model_of(model).is_some_and(ModelPort::takes_images)),
            BuiltIn::WriteFile => write_file::schema(),
            BuiltIn::EditFile => edit_file::schema(),
            BuiltIn::ListFiles => list_files::schema(),
            BuiltIn::Search => search::schema(),
            BuiltIn::History => history::schema(),
            BuiltIn::DeleteFile => delete_file::schema(),
            BuiltIn::MoveFile => move_file::schema(),
            BuiltIn::Plan => plan::schema(),
            BuiltIn::Snapshot => snapshot::schema(),
            BuiltIn::Shell => shell::schema(host),
            BuiltIn::CompleteTask => complete_task::schema(),
        };
        let mut properties = Map::new();
        for argument in arguments {
            properties.insert(argument.name.to_owned(), property(argument));
        }
        let parameters = json!({
            "type": "object",
            "properties": properties,
            "required": required,
            "additionalProperties": false,
        });
        function(FunctionSchema { name, description, parameters })
    }

    /// Whether this host offers the tool to a role. A call of a tool that is not offered is answered with the reason. A role
    /// always has the tool that ends its work.
    pub(super) fn is_offered(self, host: &Host, rights: &Rights) -> bool {
        self.is_for(rights.tools)
            && (self == BuiltIn::CompleteTask || rights.tool_denial(self.name()).is_none())
            && match self {
                BuiltIn::Snapshot | BuiltIn::History => host.git.is_some(),
                BuiltIn::Shell => host.shell.is_some() && !rights.is_planning(),
                _ => true,
            }
    }

    /// Runs the tool. The arguments must match its schema.
    pub(super) async fn run(self, context: &Context<'_>, args: Args<'_>) -> Outcome {
        match self {
            BuiltIn::ReadFile => read_file::run(context, args).await,
            BuiltIn::WriteFile => write_file::run(context, args).await,
            BuiltIn::EditFile => edit_file::run(context, args).await,
            BuiltIn::ListFiles => list_files::run(context, args).await,
            BuiltIn::Search => search::run(context, args).await,
            BuiltIn::History => history::run(context, args).await,
            BuiltIn::DeleteFile => delete_file::run(context, args).await,
            BuiltIn::MoveFile => move_file::run(context, args).await,
            BuiltIn::Plan => plan::run(context, args).await,
            BuiltIn::Snapshot => snapshot::run(context, args).await,
            BuiltIn::Shell => shell::run(context, args).await,
            BuiltIn::CompleteTask => complete_task::run(),
        }
    }
}

/// The bytes that a call of a built-in tool writes to a file with the bytes `before`; `None` if it writes none, or other
/// ones.
pub(crate) fn written_by(name: &str, args: &Value, before: &[u8]) -> Option<Vec<u8>> {
    let args = Args(args);
    match BuiltIn::from_name(name)? {
        BuiltIn::WriteFile => Some(args.optional_text("content")?.as_bytes().to_vec()),
        BuiltIn::EditFile => edit_file::result(args, std::str::from_utf8(before).ok()?),
        _ => None,
    }
}

fn function(function: FunctionSchema) -> ToolSchema {
    ToolSchema { kind: "function".to_owned(), function }
}

/// A description, the arguments, and the names of the required ones.
type Signature = (String, &'static [Argument], &'static [&'static str]);

struct Argument {
    name: &'static str,
    shape: Shape,
    description: &'static str,
}

enum Shape {
    Text,
    OneOf(&'static [&'static str]),
    Line,
}

const fn text(name: &'static str, description: &'static str) -> Argument {
    Argument { name, shape: Shape::Text, description }
}

const fn one_of(name: &'static str, names: &'static [&'static str], description: &'static str) -> Argument {
    Argument { name, shape: Shape::OneOf(names), description }
}

/// A line number, starting at 1.
const fn line(name: &'static str, description: &'static str) -> Argument {
    Argument { name, shape: Shape::Line, description }
}

/// The JSON Schema of an argument.
fn property(argument: &Argument) -> Value {
    let description = argument.description;
    match argument.shape {
        Shape::Text => json!({ "type": "string", "description": description }),
        Shape::OneOf(names) => json!({ "type": "string", "enum": names, "description": description }),
        Shape::Line => json!({ "type": "integer", "minimum": 1, "description": description }),
    }
}

/// Whether a tool of the IDE belongs to a set.
pub(super) fn has_tool(tools: Toolset, tool: &dyn ToolPort) -> bool {
    match tools {
        Toolset::Task | Toolset::Work => true,
        Toolset::Read => tool.reads_only(),
        Toolset::Nothing => false,
    }
}

fn fail<T>(message: impl Into<String>) -> Result<T, Failure> {
    Err(Failure(message.into()))
}

impl From<PortError> for Failure {
    /// A denial already says what to do; other errors name their port.
    fn from(error: PortError) -> Self {
        Failure(if error.kind == PortErrorKind::Denied { error.message.clone() } else { error.to_string() })
    }
}

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        Failure(error.message.clone())
    }
}

#[cfg(test)]
mod tests;
