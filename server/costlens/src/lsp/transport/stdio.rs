//! Standard input and output of the server: the frame filter on input, and a single writer on output.

use std::pin::Pin;
use std::task::{Context, Poll};

use tokio::io::{AsyncRead, AsyncReadExt as _, AsyncWrite, AsyncWriteExt as _};
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender};

use super::frames::{Frames, ReadStep, framed};

/// Receives complete messages from the server's encoder, so that an error response never lands inside a message.
pub(in crate::lsp) struct Messages(pub(in crate::lsp) UnboundedSender<Vec<u8>>);

impl AsyncWrite for Messages {
    fn poll_write(
        self: Pin<&mut Self>,
        _: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<std::io::Result<usize>> {
        let sent = self.0.send(bytes.to_vec()).map(|()| bytes.len());
        Poll::Ready(sent.map_err(|_| std::io::ErrorKind::BrokenPipe.into()))
    }

    fn poll_flush(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<std::io::Result<()>> {
        Poll::Ready(Ok(()))
    }

    fn poll_shutdown(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<std::io::Result<()>> {
        Poll::Ready(Ok(()))
    }
}

/// Copies messages from `input` to `server`; invalid messages are answered on `out`. Returns at the end of the input.
pub(in crate::lsp) async fn filter(
    mut input: impl AsyncRead + Unpin,
    mut server: impl AsyncWrite + Unpin,
    out: UnboundedSender<Vec<u8>>,
) {
    let (mut frames, mut buffer) = (Frames::default(), vec![0; 1 << 16]);
    loop {
        match input.read(&mut buffer).await {
            Ok(0) | Err(_) => return,
            Ok(n) => frames.push(&buffer[..n]),
        }
        while let Some(frame) = frames.next() {
            let done = match frame {
                // tower-lsp would reject a client's Content-Type header, so send a new header.
                ReadStep::Message(body) => server.write_all(&framed(&body)).await.is_err(),
                ReadStep::Refused(answer) => {
                    out.send(framed(answer.to_string().as_bytes())).is_err()
                }
            };
            if done {
                return;
            }
        }
    }
}

/// Writes all messages, in order, until all senders are dropped.
pub(in crate::lsp) async fn write(
    mut messages: UnboundedReceiver<Vec<u8>>,
    mut output: impl AsyncWrite + Unpin,
) {
    while let Some(message) = messages.recv().await {
        if output.write_all(&message).await.is_err() || output.flush().await.is_err() {
            return;
        }
    }
}
