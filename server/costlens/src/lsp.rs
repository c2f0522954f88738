//! The language server. Types of the protocol are confined to this module.
//!
//! | module | subject |
//! |---|---|
//! | [`transport`] | the conversion between bytes and messages |
//! | [`server`], [`requests`] | the handlers; [`requests`] has a file for each request |
//! | [`question`], [`event`], [`asker`] | the communication of handlers with the thread that owns the database |
//! | [`owner`] | the work of that thread: writes, questions, hints, diagnostics, missing files |
//! | [`workspace`] | the reading of files that no document loads, by workers |
//! | [`session`], [`registration`], [`outgoing`] | the negotiated options, the server's capabilities, and the messages to the client |

mod asker;
mod changes;
mod document;
mod event;
mod from_proto;
mod observed;
mod outgoing;
mod owner;
mod predict;
mod problems;
mod profile;
mod program;
mod question;
mod registration;
mod requests;
mod server;
mod session;
mod to_proto;
mod transport;
mod views;
mod workspace;

use costlens_analysis::kept::Store;
use tokio::io::{AsyncRead, AsyncWrite};
use tower_lsp::{LspService, Server};

use self::server::Costlens;
use self::transport::{guard, stdio};

/// The stack size of analysis threads. Walks over user terms are iterative, so this only has to cover bounded recursion.
const STACK: usize = 16 << 20;

/// Serves standard input and output until `exit` or the end of input, with the summaries that a store keeps. Returns the protocol's exit code.
pub(crate) fn serve(store: Option<Box<dyn Store>>) -> anyhow::Result<std::process::ExitCode> {
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .thread_stack_size(STACK)
        .enable_all()
        .build()?;
    let orderly = runtime.block_on(serve_over(tokio::io::stdin(), tokio::io::stdout(), store))?;
    // tokio's read of standard input cannot be cancelled; a normal drop of the runtime would wait for it.
    runtime.shutdown_background();
    Ok(if orderly {
        std::process::ExitCode::SUCCESS
    } else {
        std::process::ExitCode::from(1)
    })
}

/// Serves until `exit` or the end of input. Returns true if `shutdown` was requested before.
async fn serve_over(
    input: impl AsyncRead + Unpin + Send + 'static,
    output: impl AsyncWrite + Unpin + Send + 'static,
    store: Option<Box<dyn Store>>,
) -> std::io::Result<bool> {
    let (out, messages) = tokio::sync::mpsc::unbounded_channel();
    let (to_server, from_client) = tokio::io::duplex(1 << 20);
    let filter = tokio::spawn(stdio::filter(input, to_server, out.clone()));
    let writer = tokio::spawn(stdio::write(messages, output));
    let (sender, events) = std::sync::mpsc::channel();
    let handler_sender = sender.clone();
    let mut outgoing = None;
    let builder = LspService::build(|client| {
        outgoing = Some(outgoing::start(client));
        Costlens::new(handler_sender)
    });
    let builder = builder
        .custom_method("costlens/libraryText", Costlens::library_text)
        .custom_method(
            "window/workDoneProgress/cancel",
            Costlens::progress_cancelled,
        );
    #[cfg(test)]
    let builder = builder.custom_method("costlens/seededPanic", Costlens::seeded_panic);
    let (service, socket) = builder.finish();
    if let Some(outgoing) = outgoing {
        owner::start(store, events, sender, outgoing)?;
    }
    let guarded = guard::Guarded::new(service);
    let shut_down = guarded.shut_down();
    Server::new(from_client, stdio::Messages(out), socket)
        .concurrency_level(1024)
        .serve(guarded)
        .await;
    // The filter holds a sender; unless it is aborted, the writer would not end after the last message.
    filter.abort();
    let _ = writer.await;
    Ok(shut_down.load(std::sync::atomic::Ordering::SeqCst))
}

/// The maximum number of threads for one question.
const MOST_THREADS: usize = 4;

/// Returns the number of threads for a question that several threads can answer.
fn threads() -> usize {
    let processors = std::thread::available_parallelism();
    processors.map_or(1, usize::from).min(MOST_THREADS)
}

#[cfg(test)]
mod tests {
    use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};

    use super::transport::frames::framed;

    #[tokio::test]
    async fn a_panic_in_a_handler_is_that_requests_error() {
        let (client, server) = tokio::io::duplex(1 << 20);
        let (input, output) = tokio::io::split(server);
        let serving = tokio::spawn(super::serve_over(input, output, None));
        let (mut answers, mut requests) = tokio::io::split(client);
        for body in [
            r#"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"capabilities":{}}}"#,
            r#"{"jsonrpc":"2.0","id":2,"method":"costlens/seededPanic"}"#,
            r#"{"jsonrpc":"2.0","method":"textDocument/didOpen","params":{"textDocument":{"uri":"file:///a.pl","languageId":"prolog","version":1,"text":"a."}}}"#,
            r#"{"jsonrpc":"2.0","id":3,"method":"textDocument/documentSymbol","params":{"textDocument":{"uri":"file:///a.pl"}}}"#,
            r#"{"jsonrpc":"2.0","id":4,"method":"shutdown"}"#,
            r#"{"jsonrpc":"2.0","method":"exit"}"#,
        ] {
            requests.write_all(&framed(body.as_bytes())).await.unwrap();
            // tower-lsp runs requests concurrently, but the protocol requires `initialize` to be answered first.
            tokio::time::sleep(std::time::Duration::from_millis(50)).await;
        }
        assert!(serving.await.unwrap().unwrap(), "an orderly end");
        drop(requests);
        let mut all = String::new();
        answers.read_to_string(&mut all).await.unwrap();
        assert!(
            all.contains(
                r#"{"jsonrpc":"2.0","error":{"code":-32603,"message":"Internal error"},"id":2}"#
            ),
            "{all}"
        );
        assert!(all.contains(r#""id":3"#), "{all}");
        assert!(all.contains(r#""result":null,"id":4"#), "{all}");
    }
}
