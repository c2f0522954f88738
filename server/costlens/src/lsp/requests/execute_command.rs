//! `workspace/executeCommand`: what a user asks for by name. `costlens.server.calibrate` measures an engine of this machine.

use clap::ValueEnum as _;
use serde_json::Value;
use tokio::sync::oneshot;
use tower_lsp::jsonrpc::{Error, Result};
use tower_lsp::ls_types as lsp;

use super::{Offer, Request};
use crate::calibration::{Which, Wish};
use crate::lsp::asker::Asker;
use crate::lsp::event::Event;

/// The command that calibrates. Its argument is an object: `{"engine": "swi", "quick": true}`, both optional.
const CALIBRATE: &str = "costlens.server.calibrate";

/// A command by its name.
pub(in crate::lsp) struct Command;

impl Request for Command {
    type Method = lsp::request::ExecuteCommand;

    const OFFER: Option<Offer> = Some(Offer {
        wanted: |session| session.settings.enable,
        announce: |c| {
            c.execute_command_provider = Some(lsp::ExecuteCommandOptions {
                commands: vec![CALIBRATE.to_owned()],
                ..Default::default()
            });
        },
        registered: None,
    });

    async fn handle(
        asker: &Asker,
        params: lsp::ExecuteCommandParams,
    ) -> Result<Option<lsp::LSPAny>> {
        if params.command != CALIBRATE {
            return Err(invalid(format!("there is no command `{}`", params.command)));
        }
        let wish = wish(params.arguments.first().unwrap_or(&Value::Null))?;
        let (reply, answer) = oneshot::channel();
        asker.tell(Event::Calibrate { wish, reply });
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

fn wish(argument: &Value) -> Result<Wish> {
    let engine = match argument["engine"].as_str() {
        None => Which::Swi,
        Some(name) => Which::from_str(name, false)
            .map_err(|_| invalid(format!("there is no engine `{name}`")))?,
    };
    Ok(Wish {
        engine,
        program: argument["program"].as_str().map(Into::into),
        quick: argument["quick"].as_bool().unwrap_or(false),
        explore: false,
        fresh: false,
    })
}

fn invalid(message: String) -> Error {
    Error {
        message: message.into(),
        ..Error::invalid_params("")
    }
}
