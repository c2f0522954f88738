//! The guard around the whole service: a panic in one handler becomes that request's error, not the end of the session.

use std::panic::AssertUnwindSafe;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::{Context, Poll};

use futures_util::FutureExt as _;
use tower_lsp::jsonrpc::{Error, Request, Response};
use tower_service::Service;

/// A service whose panics are caught.
pub(in crate::lsp) struct Guarded<S> {
    service: S,
    shut_down: Arc<AtomicBool>,
}

impl<S> Guarded<S> {
    pub(in crate::lsp) fn new(service: S) -> Self {
        Guarded {
            service,
            shut_down: Arc::default(),
        }
    }

    /// Returns a flag that is true after `shutdown` has been requested. The exit code depends on it, and tower-lsp does not report it.
    pub(in crate::lsp) fn shut_down(&self) -> Arc<AtomicBool> {
        self.shut_down.clone()
    }
}

impl<S> Service<Request> for Guarded<S>
where
    S: Service<Request, Response = Option<Response>>,
    S::Future: Send + 'static,
{
    type Response = Option<Response>;
    type Error = S::Error;
    type Future = Pin<Box<dyn Future<Output = Result<Option<Response>, S::Error>> + Send>>;

    fn poll_ready(&mut self, cx: &mut Context<'_>) -> Poll<Result<(), S::Error>> {
        self.service.poll_ready(cx)
    }

    fn call(&mut self, request: Request) -> Self::Future {
        let id = request.id().cloned();
        self.shut_down
            .fetch_or(request.method() == "shutdown", Ordering::SeqCst);
        // tower-lsp runs the handler inside the future, so it suffices to catch panics around the future.
        let answer = AssertUnwindSafe(self.service.call(request)).catch_unwind();
        Box::pin(async move {
            match answer.await {
                // tower-lsp treats every unknown `$/…` message as a notification, but a request has to be answered.
                Ok(Ok(None)) => {
                    Ok(id.map(|id| Response::from_error(id, Error::method_not_found())))
                }
                Ok(answer) => answer,
                Err(_) => Ok(id.map(|id| Response::from_error(id, Error::internal_error()))),
            }
        })
    }
}
