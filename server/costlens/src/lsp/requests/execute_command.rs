//! `workspace/executeCommand`: named commands. `costlens.server.calibrate` calibrates an engine on this machine, `costlens.server.profile`
//! runs a goal of the user's program and reports its resource use, `costlens.server.predict` predicts the cost of a call.

use clap::ValueEnum as _;
use costlens_profile::resource_of;
use serde_json::Value;
use tokio::sync::oneshot;
use tower_lsp::jsonrpc::{Error, Result};
use tower_lsp::ls_types as lsp;

use super::{Offer, Request};
use crate::calibration::{CalibrationRequest, Which};
use crate::lsp::asker::Asker;
use crate::lsp::event::{CommandResult, Event};
use crate::lsp::{predict, profile};
use crate::profiling::engines::Engine;

/// The command for calibration. Its argument is an object with two optional fields: `{"engine": "swi", "quick": true}`.
const CALIBRATE: &str = "costlens.server.calibrate";

/// The command for profiles. Its argument is an object: `{"uri": "file:///…", "goal": "run_tests(lists)", "trusted": true}`, and optionally
/// `"engine"` (`embedded` or `swi`), `"resource"`, `"search"` (for the bottleneck) and `"seconds"`.
const PROFILE: &str = "costlens.server.profile";

/// The command for predictions, which runs nothing. Its argument is an object: `{"uri": "file:///…", "goal": "nrev([1,2], X)"}`, and
/// optionally `"all"` (all solutions).
const PREDICT: &str = "costlens.server.predict";

/// A command, by name.
pub(in crate::lsp) struct Command;

impl Request for Command {
    type Method = lsp::request::ExecuteCommand;

    const OFFER: Option<Offer> = Some(Offer {
        wanted: |session| session.settings.enable,
        announce: |c| {
            c.execute_command_provider = Some(lsp::ExecuteCommandOptions {
                commands: [CALIBRATE, PROFILE, PREDICT].map(str::to_owned).to_vec(),
                ..Default::default()
            });
        },
        registered: None,
    });

    async fn handle(
        asker: &Asker,
        params: lsp::ExecuteCommandParams,
    ) -> Result<Option<lsp::LSPAny>> {
        let argument = params.arguments.first().unwrap_or(&Value::Null);
        let (reply, answer) = oneshot::channel::<CommandResult>();
        asker.tell(match params.command.as_str() {
            CALIBRATE => {
                let wish = wish(argument)?;
                Event::Calibrate { wish, reply }
            }
            PROFILE => {
                let wish = profile_wish(argument)?;
                Event::Profile { wish, reply }
            }
            PREDICT => {
                let wish = predict_wish(argument)?;
                Event::Predict { wish, reply }
            }
            other => return Err(invalid(format!("there is no command `{other}`"))),
        });
        match answer.await {
            Ok(Ok(summary)) => Ok(Some(summary)),
            Ok(Err(why)) => Err(Error {
                code: tower_lsp::jsonrpc::ErrorCode::ServerError(-32803),
                message: why.into(),
                data: None,
            }),
            Err(_) => Err(Error::internal_error()),
        }
    }
}

fn wish(argument: &Value) -> Result<CalibrationRequest> {
    let engine = match argument["engine"].as_str() {
        None => Which::Swi,
        Some(name) => Which::from_str(name, false)
            .map_err(|_| invalid(format!("there is no engine `{name}`")))?,
    };
    Ok(CalibrationRequest {
        engine,
        program: argument["program"].as_str().map(Into::into),
        quick: argument["quick"].as_bool().unwrap_or(false),
        explore: false,
        fresh: false,
    })
}

fn profile_wish(argument: &Value) -> Result<profile::ProfileParams> {
    // The command runs code of the workspace, so the client has to confirm that the user wants this.
    if argument["trusted"] != true {
        return Err(invalid(
            "the workspace is not trusted: no code of it is run".to_owned(),
        ));
    }
    let engine = match argument["engine"].as_str() {
        None => Engine::Embedded,
        Some(name) => Engine::from_str(name, false)
            .map_err(|_| invalid(format!("there is no engine `{name}`")))?,
    };
    let resource = match argument["resource"].as_str() {
        None => None,
        Some(name) => {
            let found = resource_of(name).filter(|&resource| engine.measures(resource));
            let wrong = || invalid(format!("{} does not measure `{name}`", engine.title()));
            Some(found.ok_or_else(wrong)?)
        }
    };
    Ok(profile::ProfileParams {
        uri: uri(argument)?,
        goal: text(argument, "goal")?.to_owned(),
        engine,
        resource,
        search: argument["search"].as_bool().unwrap_or(false),
        seconds: argument["seconds"]
            .as_f64()
            .filter(|s| (0.0..=1e9).contains(s)),
    })
}

fn predict_wish(argument: &Value) -> Result<predict::PredictParams> {
    Ok(predict::PredictParams {
        uri: uri(argument)?,
        goal: text(argument, "goal")?.to_owned(),
        all: argument["all"].as_bool().unwrap_or(false),
    })
}

fn text<'a>(argument: &'a Value, name: &str) -> Result<&'a str> {
    let found = argument[name].as_str();
    found.ok_or_else(|| invalid(format!("`{name}` is missing")))
}

fn uri(argument: &Value) -> Result<lsp::Uri> {
    let uri = text(argument, "uri")?;
    (uri.parse()).map_err(|_| invalid(format!("`{uri}` is no URI")))
}

fn invalid(message: String) -> Error {
    Error {
        message: message.into(),
        ..Error::invalid_params("")
    }
}
